// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a process of the tree listens.
 *
 * @param host a name or an address; IPv6 without brackets
 */
public record TreeAddress(String host, int port) {
  private static final int MOST = 65535;

  /**
   * Reads {@code host:port} or {@code [address]:port}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static TreeAddress of(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String inner = bracketed ? host.substring(1, host.length() - 1) : host;
    int port = colon < 0 ? -1 : port(text.substring(colon + 1));
    if (port < 1 || inner.contains(":") != bracketed || !isHost(inner)) {
      throw new IllegalArgumentException(
          "'%s' is not an address; write host:port, or [address]:port for IPv6".formatted(text));
    }
    return new TreeAddress(inner, port);
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port <= MOST ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static boolean isHost(String host) {
    try {
      return new URI("tree", null, host, 1, null, null, null).getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Whether only this machine can reach it. */
  public boolean isLoopback() {
    try {
      return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      // A name.
      return false;
    }
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[%s]:%d".formatted(host, port) : host + ":" + port;
  }
}
