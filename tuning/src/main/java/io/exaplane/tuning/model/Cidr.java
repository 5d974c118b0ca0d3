// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A range of addresses, such as fd00:10:96::/108. */
public record Cidr(String text, boolean ipv6, int prefixLength) {
  // Only literals: the JDK would look anything else up as a name.
  private static final Pattern LITERAL =
      Pattern.compile("(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)/\\d{1,3}");

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException with the rule that it breaks
   */
  static Cidr parse(String text) {
    if (!LITERAL.matcher(text).matches()) {
      throw new IllegalArgumentException("must be an address and a prefix length");
    }
    int slash = text.indexOf('/');
    byte[] address;
    try {
      address = InetAddress.getByName(text.substring(0, slash)).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("must be an address and a prefix length", e);
    }
    int length = Integer.parseInt(text.substring(slash + 1));
    if (length > address.length * 8) {
      throw new IllegalArgumentException(
          "has a prefix longer than the " + address.length * 8 + " bits of its address");
    }
    for (int bit = length; bit < address.length * 8; bit++) {
      if ((address[bit / 8] & 0x80 >> bit % 8) != 0) {
        throw new IllegalArgumentException("has bits set behind its prefix");
      }
    }
    return new Cidr(text, address.length == 16, length);
  }

  /** How many bits are left behind the prefix. */
  public int hostBits() {
    return (ipv6 ? 128 : 32) - prefixLength;
  }
}
