// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.net;

import java.net.InetAddress;
import java.util.Optional;

/** Reads IP addresses without ever asking a name server. Stateless. */
public final class IpAddresses {
  private IpAddresses() {}

  /** The address, or empty when the text is not an IP address. */
  public static Optional<InetAddress> parse(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException notAnAddress) {
      return Optional.empty();
    }
  }

  /** The host part of a URL: an IPv6 address in brackets, else the text itself. */
  public static String urlHost(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
