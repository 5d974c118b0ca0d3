// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.net;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Addresses with a common prefix. Immutable.
 *
 * @param text as it was written
 * @param address 4 or 16 bytes; bits behind the prefix do not count
 * @param prefixBits length of the prefix
 */
public record AddressRange(String text, byte[] address, int prefixBits) {
  /** Reads a CIDR or a single address; empty for what is neither. */
  public static Optional<AddressRange> parse(String text) {
    int slash = text.indexOf('/');
    Optional<InetAddress> address = IpAddresses.parse(slash < 0 ? text : text.substring(0, slash));
    if (address.isEmpty()) {
      return Optional.empty();
    }
    byte[] bytes = address.get().getAddress();
    int all = bytes.length * Byte.SIZE;
    try {
      int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
      return bits < 0 || bits > all
          ? Optional.empty()
          : Optional.of(new AddressRange(text, bytes, bits));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a range that the schema let in.
   *
   * @throws IllegalArgumentException for what is none
   */
  public static AddressRange of(String text) {
    return parse(text).orElseThrow(() -> new IllegalArgumentException(text + " is no range"));
  }

  private static AddressRange of(InetAddress single) {
    byte[] bytes = single.getAddress();
    return new AddressRange(single.getHostAddress(), bytes, bytes.length * Byte.SIZE);
  }

  /** Whether an address of the same family lies in it. */
  public boolean contains(InetAddress other) {
    return overlaps(of(other));
  }

  /** Whether an address is in both; never for addresses of different families. */
  public boolean overlaps(AddressRange other) {
    if (address.length != other.address.length) {
      return false;
    }
    int common = Math.min(prefixBits, other.prefixBits);
    for (int bit = 0; bit < common; bit++) {
      int mask = 0x80 >> bit % Byte.SIZE;
      if ((address[bit / Byte.SIZE] & mask) != (other.address[bit / Byte.SIZE] & mask)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AddressRange range && text.equals(range.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
