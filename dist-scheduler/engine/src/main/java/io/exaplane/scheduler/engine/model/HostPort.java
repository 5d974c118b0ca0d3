// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/** A port of the node that a pod takes. */
public record HostPort(String ip, String protocol, int port) {
  private static final String ANY = "0.0.0.0";

  /** With the defaults that Kubernetes has for what is not given. */
  public static HostPort of(String ip, String protocol, int port) {
    return new HostPort(ip.isEmpty() ? ANY : ip, protocol.isEmpty() ? "TCP" : protocol, port);
  }

  public boolean conflictsWith(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (ip.equals(ANY) || other.ip.equals(ANY) || ip.equals(other.ip));
  }
}
