// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against BigInteger, which is slow and right. */
class UInt128Test {
  static final BigInteger MOST = BigInteger.TWO.pow(128).subtract(BigInteger.ONE);
  private static final int CASES = 20_000;

  /** Numbers of all sizes, and those at the edges of 64 and 128 bits. */
  static List<UInt128> numbers(Random random, int count) {
    List<UInt128> numbers = new ArrayList<>();
    for (long edge : new long[] {0, 1, 2, Long.MAX_VALUE, Long.MIN_VALUE, -1, -2}) {
      numbers.add(new UInt128(0, edge));
      numbers.add(new UInt128(edge, 0));
      numbers.add(new UInt128(edge, -1));
      numbers.add(new UInt128(edge, edge));
    }
    while (numbers.size() < count) {
      UInt128 any = new UInt128(random.nextLong(), random.nextLong());
      numbers.add(any.shiftRight(random.nextInt(128)));
    }
    return numbers;
  }

  @Test
  void calculatesAsBigIntegerDoesWithinItsRange() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<UInt128> numbers = numbers(random, 300);
    for (int i = 0; i < CASES; i++) {
      UInt128 a = numbers.get(random.nextInt(numbers.size()));
      UInt128 b = numbers.get(random.nextInt(numbers.size()));
      long factor = random.nextLong() >>> (1 + random.nextInt(63));
      BigInteger bigA = a.toBigInteger();
      BigInteger bigB = b.toBigInteger();
      String about = "seed %d: %s, %s, %d".formatted(seed, a, b, factor);
      assertThat(a.plus(b).toBigInteger()).as(about).isEqualTo(bigA.add(bigB).min(MOST));
      assertThat(a.minus(b).toBigInteger())
          .as(about)
          .isEqualTo(bigA.subtract(bigB).max(BigInteger.ZERO));
      assertThat(a.times(factor).toBigInteger())
          .as(about)
          .isEqualTo(bigA.multiply(BigInteger.valueOf(factor)).min(MOST));
      assertThat(a.and(b).toBigInteger()).as(about).isEqualTo(bigA.and(bigB));
      assertThat(a.or(b).toBigInteger()).as(about).isEqualTo(bigA.or(bigB));
      assertThat(a.xor(b).toBigInteger()).as(about).isEqualTo(bigA.xor(bigB));
      assertThat(Integer.signum(a.compareTo(b))).as(about).isEqualTo(bigA.compareTo(bigB));
      assertThat(a.min(b).toBigInteger()).as(about).isEqualTo(bigA.min(bigB));
    }
  }

  @Test
  void shiftsAsBigIntegerDoesAndLosesBits() {
    Random random = new Random(1);
    for (UInt128 number : numbers(random, 200)) {
      BigInteger big = number.toBigInteger();
      for (int bits = 0; bits <= 128; bits++) {
        assertThat(number.shiftLeft(bits).toBigInteger()).isEqualTo(big.shiftLeft(bits).and(MOST));
        assertThat(number.shiftRight(bits).toBigInteger()).isEqualTo(big.shiftRight(bits));
      }
    }
  }

  @Test
  void textIsExactWhileItIsShort() {
    assertThat(UInt128.of(0).text()).isEqualTo("0");
    assertThat(UInt128.of(65_536).text()).isEqualTo("65,536");
    assertThat(UInt128.of(999_999_999_999L).text()).isEqualTo("999,999,999,999");
    assertThat(UInt128.powerOfTwo(48).text()).isEqualTo("2^48");
    assertThat(UInt128.powerOfTwo(48).minus(UInt128.of(2)).text()).isEqualTo("about 2^48");
    assertThat(UInt128.MAX.text()).isEqualTo("about 2^128");
    assertThat(UInt128.MAX).hasToString("340282366920938463463374607431768211455");
  }

  @Test
  void whatIsNegativeOrTooLargeIsRefused() {
    assertThatThrownBy(() -> UInt128.of(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> UInt128.of(1).times(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> UInt128.powerOfTwo(128)).isInstanceOf(IllegalArgumentException.class);
  }
}
