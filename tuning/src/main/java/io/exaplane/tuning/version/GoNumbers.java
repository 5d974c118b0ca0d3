// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Numbers as flags of Go programs read them: {@code 800}, {@code 1_000}, {@code 0x320}, {@code
 * 0o1440}, {@code 1e-3}. Java reads other forms, such as {@code 5d}.
 */
public final class GoNumbers {
  private static final Pattern DIGITS = Pattern.compile("_?[0-9a-f]+(?:_[0-9a-f]+)*");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?");

  private static final Pattern HEXADECIMAL =
      Pattern.compile("[-+]?0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][-+]?\\d+");

  private static final Pattern INFINITE = Pattern.compile("[-+]?(?i:inf|infinity)");
  private static final int OCTAL = 8;
  private static final int DECIMALS = 10;
  private static final int HEX = 16;

  private GoNumbers() {}

  /**
   * A whole number of any size, with the prefix of its base, a sign, and underscores between
   * digits.
   *
   * @throws NumberFormatException if Go would not read it
   */
  public static BigInteger whole(String text) {
    String bare = text.replaceFirst("^[-+]", "").toLowerCase(Locale.ROOT);
    int base = base(bare);
    int prefix = base == DECIMALS ? 0 : bare.matches("0[xbo].*") ? 2 : 1;
    String digits = bare.substring(prefix);
    if (!DIGITS.matcher(digits).matches() || prefix == 0 && digits.startsWith("_")) {
      throw new NumberFormatException("not a whole number: " + text);
    }
    BigInteger number = new BigInteger(digits.replace("_", ""), base);
    return text.startsWith("-") ? number.negate() : number;
  }

  private static int base(String bare) {
    if (bare.startsWith("0x")) {
      return HEX;
    }
    if (bare.startsWith("0b")) {
      return 2;
    }
    return bare.length() > 1 && bare.startsWith("0") ? OCTAL : DECIMALS;
  }

  /**
   * A number with or without a fraction and an exponent.
   *
   * @throws NumberFormatException if it is not written in digits
   */
  public static double decimal(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      throw new NumberFormatException("not a number: " + text);
    }
    return Double.parseDouble(text);
  }

  /**
   * A number as {@link #decimal}, in hexadecimal digits, infinite, or NaN.
   *
   * @param most that the flag's type can hold
   * @throws NumberFormatException if Go would not read it, or it is larger than the most
   */
  public static double floating(String text, double most) {
    if (text.equalsIgnoreCase("nan")) {
      return Double.NaN;
    }
    if (INFINITE.matcher(text).matches()) {
      return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double number = HEXADECIMAL.matcher(text).matches() ? Double.parseDouble(text) : decimal(text);
    if (Math.abs(number) > most) {
      throw new NumberFormatException("too large: " + text);
    }
    return number;
  }
}
