// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigInteger;
import java.util.Locale;

/**
 * An unsigned whole number of 128 bits: an IPv6 address, or a number of them. A sum or product that
 * does not fit is {@link #MAX}, and a difference below zero is zero. Immutable.
 *
 * @param high the upper 64 bits, unsigned
 * @param low the lower 64 bits, unsigned
 */
public record UInt128(long high, long low) implements Comparable<UInt128> {
  public static final UInt128 ZERO = new UInt128(0, 0);
  public static final UInt128 MAX = new UInt128(-1, -1);
  static final int BITS = 128;
  private static final UInt128 LONG_FOR_PEOPLE = of(1_000_000_000_000L);

  /** A number that is not negative. */
  public static UInt128 of(long value) {
    if (value < 0) {
      throw new IllegalArgumentException(value + " is negative");
    }
    return new UInt128(0, value);
  }

  /** Two to the power of 0 to 127. */
  static UInt128 powerOfTwo(int exponent) {
    if (exponent < 0 || exponent >= BITS) {
      throw new IllegalArgumentException("2^" + exponent + " does not fit into 128 bits");
    }
    return of(1).shiftLeft(exponent);
  }

  UInt128 plus(UInt128 other) {
    long sum = low + other.low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    long upper = high + other.high;
    boolean over = Long.compareUnsigned(upper, high) < 0 || (carry == 1 && upper == -1);
    return over ? MAX : new UInt128(upper + carry, sum);
  }

  UInt128 minus(UInt128 other) {
    if (compareTo(other) <= 0) {
      return ZERO;
    }
    long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
    return new UInt128(high - other.high - borrow, low - other.low);
  }

  /** The product with a number of 63 bits. */
  UInt128 times(long factor) {
    if (factor < 0) {
      throw new IllegalArgumentException(factor + " is negative");
    }
    long carry = Math.unsignedMultiplyHigh(low, factor);
    long upper = high * factor + carry;
    boolean over =
        Math.unsignedMultiplyHigh(high, factor) != 0 || Long.compareUnsigned(upper, carry) < 0;
    return over ? MAX : new UInt128(upper, low * factor);
  }

  /** Bits that leave the 128 are lost. */
  UInt128 shiftLeft(int bits) {
    if (bits == 0) {
      return this;
    }
    if (bits >= Long.SIZE) {
      return new UInt128(bits >= BITS ? 0 : low << (bits - Long.SIZE), 0);
    }
    return new UInt128(high << bits | low >>> (Long.SIZE - bits), low << bits);
  }

  UInt128 shiftRight(int bits) {
    if (bits == 0) {
      return this;
    }
    if (bits >= Long.SIZE) {
      return new UInt128(0, bits >= BITS ? 0 : high >>> (bits - Long.SIZE));
    }
    return new UInt128(high >>> bits, low >>> bits | high << (Long.SIZE - bits));
  }

  UInt128 and(UInt128 other) {
    return new UInt128(high & other.high, low & other.low);
  }

  UInt128 or(UInt128 other) {
    return new UInt128(high | other.high, low | other.low);
  }

  UInt128 xor(UInt128 other) {
    return new UInt128(high ^ other.high, low ^ other.low);
  }

  UInt128 min(UInt128 other) {
    return compareTo(other) <= 0 ? this : other;
  }

  @Override
  public int compareTo(UInt128 other) {
    int upper = Long.compareUnsigned(high, other.high);
    return upper != 0 ? upper : Long.compareUnsigned(low, other.low);
  }

  /** For readers of JSON and YAML: an exact number. */
  @JsonValue
  public BigInteger toBigInteger() {
    return new BigInteger(Long.toUnsignedString(high))
        .shiftLeft(Long.SIZE)
        .add(new BigInteger(Long.toUnsignedString(low)));
  }

  public double doubleValue() {
    return toBigInteger().doubleValue();
  }

  /** For people: with separators, and as a power of two from a million millions on. */
  public String text() {
    if (compareTo(LONG_FOR_PEOPLE) < 0) {
      return String.format(Locale.ROOT, "%,d", low);
    }
    long exponent = Math.round(Math.log(doubleValue()) / Math.log(2));
    boolean exact = exponent < BITS && equals(powerOfTwo((int) exponent));
    return (exact ? "2^" : "about 2^") + exponent;
  }

  /** All digits. */
  @Override
  public String toString() {
    return toBigInteger().toString();
  }
}
