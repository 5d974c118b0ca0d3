// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import io.exaplane.tuning.addr.Ipv6Prefix;
import io.exaplane.tuning.model.InvalidInputException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Who has which address below one /48: the first /64 is the network of the hosts, and each later
 * one belongs to the pods of one host. Immutable; pure.
 */
public final class HostAddresses {
  /** Hosts that one machine may have. */
  public static final int MOST = 1000;

  private static final int LENGTH = 48;
  private final Ipv6Prefix prefix;
  private final String base;

  private HostAddresses(Ipv6Prefix prefix, String base) {
    this.prefix = prefix;
    this.base = base;
  }

  /**
   * Reads the prefix.
   *
   * @throws InvalidInputException if it is no /48 of IPv6
   */
  public static HostAddresses of(String text) {
    try {
      Ipv6Prefix prefix = Ipv6Prefix.parse(text);
      if (prefix.length() == LENGTH) {
        return new HostAddresses(prefix, base(text));
      }
    } catch (IllegalArgumentException | UnknownHostException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "prefix", text, "must be an IPv6 prefix with the length /48", "write it as fd00:e:1::/48");
  }

  private static String base(String text) throws UnknownHostException {
    byte[] bytes = InetAddress.getByName(text.substring(0, text.indexOf('/'))).getAddress();
    StringBuilder groups = new StringBuilder();
    for (int i = 0; i < LENGTH / Byte.SIZE; i += 2) {
      groups.append(i == 0 ? "" : ":");
      groups.append(Integer.toHexString((bytes[i] & 0xff) << Byte.SIZE | bytes[i + 1] & 0xff));
    }
    return groups.toString();
  }

  /** All of it. */
  public String prefix() {
    return prefix.toString();
  }

  /** The machine's own address on the bridge: the gateway of the hosts. */
  public String gateway() {
    return base + "::1";
  }

  /** The address of a host, counted from 0. */
  String host(int number) {
    return base + "::" + Integer.toHexString(number + 2);
  }

  /** The prefix of a host's pods. */
  String pods(int number) {
    return base + ":" + Integer.toHexString(number + 1) + "::/64";
  }
}
