// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * IPv6 addresses with a common beginning, as 2001:db8::/56. Immutable.
 *
 * @param first the lowest address
 * @param length bits that all addresses have in common, 1 to 128
 */
public record Ipv6Prefix(UInt128 first, int length) {
  private static final Pattern FORM = Pattern.compile("([^/]+)/(\\d{1,3})");

  public Ipv6Prefix {
    if (length < 1 || length > UInt128.BITS) {
      throw new IllegalArgumentException("must have a length between /1 and /128");
    }
    if (!first.and(rest(length)).equals(UInt128.ZERO)) {
      throw new IllegalArgumentException("has bits set behind its prefix");
    }
  }

  /**
   * Reads a prefix.
   *
   * @throws IllegalArgumentException with the rule that the text breaks
   */
  public static Ipv6Prefix parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("must be an IPv6 prefix");
    }
    return new Ipv6Prefix(Ipv6Text.parse(form.group(1)), Integer.parseInt(form.group(2)));
  }

  /** All bits behind a prefix. */
  private static UInt128 rest(int length) {
    return UInt128.MAX.shiftRight(length);
  }

  /** The highest address. */
  UInt128 last() {
    return first.or(rest(length));
  }

  /** Whether an address is in both: then one of them contains the other. */
  public boolean overlaps(Ipv6Prefix other) {
    int common = Math.min(length, other.length);
    return first.xor(other.first).shiftRight(UInt128.BITS - common).equals(UInt128.ZERO);
  }

  /**
   * How many prefixes of this length there are inside.
   *
   * @throws IllegalArgumentException if the length is shorter than this prefix
   */
  UInt128 parts(int partLength) {
    if (partLength < length || partLength > UInt128.BITS) {
      throw new IllegalArgumentException(this + " has no parts of /" + partLength);
    }
    return UInt128.powerOfTwo(partLength - length);
  }

  /** One of the prefixes inside, counted from zero. */
  Ipv6Prefix part(int partLength, UInt128 index) {
    if (index.compareTo(parts(partLength)) >= 0) {
      throw new IllegalArgumentException(this + " has no part " + index);
    }
    return new Ipv6Prefix(first.or(index.shiftLeft(UInt128.BITS - partLength)), partLength);
  }

  /** The addresses inside; 2^127 at most. */
  public UInt128 addresses() {
    return UInt128.powerOfTwo(UInt128.BITS - length);
  }

  @Override
  public String toString() {
    return Ipv6Text.format(first) + "/" + length;
  }
}
