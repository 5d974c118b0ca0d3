// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.net;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads IP addresses without ever asking a name server. Stateless. */
public final class IpAddresses {
  private static final int GROUPS = 8;

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

  /** As Kubernetes writes addresses: IPv6 by RFC 5952. */
  public static String canonical(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == Integer.BYTES) {
      return address.getHostAddress();
    }
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return ipv6(halves.getLong(), halves.getLong());
  }

  /** The IPv6 address of these halves, as RFC 5952 wants it. */
  public static String ipv6(long high, long low) {
    int from = GROUPS;
    int longest = 1;
    for (int i = 0; i < GROUPS; i++) {
      int zeros = 0;
      while (i + zeros < GROUPS && group(high, low, i + zeros) == 0) {
        zeros++;
      }
      if (zeros > longest) {
        longest = zeros;
        from = i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == from) {
        text.append("::");
        i += longest - 1;
      } else {
        text.append(i == 0 || text.charAt(text.length() - 1) == ':' ? "" : ":");
        text.append(Integer.toHexString(group(high, low, i)));
      }
    }
    return text.toString();
  }

  private static int group(long high, long low, int number) {
    long half = number < GROUPS / 2 ? high : low;
    return (int) (half >>> Character.SIZE * (GROUPS / 2 - 1 - number % (GROUPS / 2)) & 0xffff);
  }
}
