// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.net.IpAddresses;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An IPv6 network. Of two, one lies in the other, or they share no address. The order is that of
 * the first addresses, and then the larger network first. Immutable.
 *
 * @param high the first 64 bits of the address, unsigned; host bits are 0
 * @param low the last 64 bits
 * @param bits length, 0 to 128
 */
record Prefix(long high, long low, int bits) implements Comparable<Prefix> {
  static final int MOST_BITS = 128;

  Prefix {
    high &= mask(bits);
    low &= mask(bits - Long.SIZE);
  }

  /** The first so many bits of 64. */
  private static long mask(int bits) {
    return bits <= 0 ? 0 : bits >= Long.SIZE ? -1L : -1L << Long.SIZE - bits;
  }

  /** The network of an address. */
  static Prefix of(Inet6Address address, int bits) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return new Prefix(bytes.getLong(), bytes.getLong(), bits);
  }

  /** Of a range that somebody has; empty for IPv4. Host bits do not count. */
  static Optional<Prefix> of(AddressRange range) {
    if (range.address().length * Byte.SIZE != MOST_BITS) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(range.address());
    return Optional.of(new Prefix(bytes.getLong(), bytes.getLong(), range.prefixBits()));
  }

  /** The network of that length in which this one lies. */
  Prefix within(int length) {
    return new Prefix(high, low, length);
  }

  /** Whether all addresses of the other network are in this one. */
  boolean contains(Prefix other) {
    return other.bits >= bits && other.within(bits).equals(this);
  }

  /** Whether this begins with the address: no bit behind the length is set. */
  boolean isFirst(Inet6Address address) {
    return of(address, MOST_BITS).equals(new Prefix(high, low, MOST_BITS));
  }

  /** Whether an address is in both. */
  boolean overlaps(Prefix other) {
    return contains(other) || other.contains(this);
  }

  /** Whether the first address of the other network is behind all of this one. */
  boolean endsBefore(Prefix other) {
    int order = Long.compareUnsigned(high | ~mask(bits), other.high);
    return order == 0
        ? Long.compareUnsigned(low | ~mask(bits - Long.SIZE), other.low) < 0
        : order < 0;
  }

  @Override
  public int compareTo(Prefix other) {
    int order = Long.compareUnsigned(high, other.high);
    if (order == 0) {
      order = Long.compareUnsigned(low, other.low);
    }
    return order == 0 ? Integer.compare(bits, other.bits) : order;
  }

  /** As RFC 5952 wants it, which is how Kubernetes writes networks. */
  @Override
  public String toString() {
    return IpAddresses.ipv6(high, low) + "/" + bits;
  }

  /** The IPv6 address that a text is; empty for any other text, and for IPv4 in IPv6's form. */
  static Optional<Inet6Address> address(String text) {
    try {
      return InetAddress.ofLiteral(text) instanceof Inet6Address address
          ? Optional.of(address)
          : Optional.empty();
    } catch (IllegalArgumentException notAnAddress) {
      return Optional.empty();
    }
  }
}
