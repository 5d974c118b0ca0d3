// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;

/**
 * Amounts of resources as Kubernetes writes them: {@code 100m}, {@code 1.5Gi}, {@code 2e3}. Source:
 * apimachinery/pkg/api/resource.
 */
public final class Quantity {
  private static final Map<String, BigDecimal> UNITS =
      Map.ofEntries(
          Map.entry("n", new BigDecimal("1e-9")),
          Map.entry("u", new BigDecimal("1e-6")),
          Map.entry("m", new BigDecimal("1e-3")),
          Map.entry("", BigDecimal.ONE),
          Map.entry("k", new BigDecimal("1e3")),
          Map.entry("M", new BigDecimal("1e6")),
          Map.entry("G", new BigDecimal("1e9")),
          Map.entry("T", new BigDecimal("1e12")),
          Map.entry("P", new BigDecimal("1e15")),
          Map.entry("E", new BigDecimal("1e18")),
          Map.entry("Ki", binary(10)),
          Map.entry("Mi", binary(20)),
          Map.entry("Gi", binary(30)),
          Map.entry("Ti", binary(40)),
          Map.entry("Pi", binary(50)),
          Map.entry("Ei", binary(60)));
  private static final int MOST_DIGITS = 1000;
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private Quantity() {}

  private static BigDecimal binary(int bits) {
    return new BigDecimal(BigInteger.ONE.shiftLeft(bits));
  }

  /**
   * The amount in whole units (cores, bytes, pieces), exact to a billionth: what is finer is
   * rounded up, as Kubernetes does.
   *
   * @throws IllegalArgumentException with what a quantity looks like
   */
  public static BigDecimal parse(String text) {
    int end = 0;
    while (end < text.length()
        && (Character.isDigit(text.charAt(end))
            || text.charAt(end) == '.'
            || (end == 0 && "+-".indexOf(text.charAt(end)) >= 0))) {
      end++;
    }
    String suffix = text.substring(end);
    try {
      BigDecimal number = new BigDecimal(text.substring(0, end));
      if (suffix.length() > 1 && "eE".indexOf(suffix.charAt(0)) >= 0 && !suffix.equals("Ei")) {
        int exponent = Integer.parseInt(suffix.substring(1));
        // Beyond that it is the largest that there is, or the smallest.
        return rounded(number.scaleByPowerOfTen(Math.clamp(exponent, -MOST_DIGITS, MOST_DIGITS)));
      }
      BigDecimal unit = UNITS.get(suffix);
      if (unit != null) {
        return rounded(number.multiply(unit));
      }
    } catch (NumberFormatException e) {
      // Said below, together with unknown suffixes.
    }
    throw new IllegalArgumentException("a quantity such as 100m, 2, 1.5Gi or 1e3");
  }

  /**
   * The same of an amount that cannot be less than nothing.
   *
   * @throws IllegalArgumentException with what a quantity looks like
   */
  public static BigDecimal parseAmount(String text) {
    BigDecimal amount = parse(text);
    if (amount.signum() < 0) {
      throw new IllegalArgumentException("at least 0");
    }
    return amount;
  }

  private static BigDecimal rounded(BigDecimal amount) {
    return amount.scale() > 9 ? amount.setScale(9, RoundingMode.UP) : amount;
  }

  /** Thousandths, rounded up. */
  public static long milli(BigDecimal amount) {
    return whole(amount.scaleByPowerOfTen(3));
  }

  /** Whole units, rounded up. */
  public static long whole(BigDecimal amount) {
    BigDecimal up = amount.setScale(0, RoundingMode.UP);
    return up.compareTo(MAX) >= 0 ? Long.MAX_VALUE : up.longValueExact();
  }
}
