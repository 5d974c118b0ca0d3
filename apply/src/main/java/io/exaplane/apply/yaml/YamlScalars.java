// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.yaml;

import java.math.BigInteger;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What words without quotes are, as kubectl takes them: YAML 1.1 without times and numbers to base
 * 60. Source: sigs.k8s.io/yaml, which uses go.yaml.in/yaml/v2, resolve.go.
 */
public final class YamlScalars {
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");

  /** Up to here a double that is whole is the same in JSON. */
  private static final double MOST_WHOLE = 1e15;

  private static final int OCTAL = 8;
  private static final int HEXADECIMAL = 16;

  private YamlScalars() {}

  /**
   * The value of a word without quotes.
   *
   * @param word as it stands in the file
   * @return null, a Boolean, a Long, a BigInteger of 64 bits, a Double, or the word itself
   */
  public static Object value(String word) {
    if (TRUE.contains(word)) {
      return true;
    }
    if (FALSE.contains(word)) {
      return false;
    }
    if (NOTHING.contains(word)) {
      return null;
    }
    char first = word.charAt(0);
    boolean number = first >= '0' && first <= '9' || first == '-' || first == '+' || first == '.';
    Object value = number ? number(first == '.' ? word : word.replace("_", "")) : null;
    return value == null ? word : value;
  }

  /** Null if it is none. */
  private static Object number(String word) {
    Object whole = whole(word);
    if (whole != null || !FLOAT.matcher(word).matches()) {
      return whole;
    }
    double value = Double.parseDouble(word);
    if (Double.isInfinite(value)) {
      return null;
    }
    return value == Math.rint(value) && Math.abs(value) < MOST_WHOLE
        ? (Object) (long) value
        : (Object) value;
  }

  /** With Go's prefixes; null if it has more than 64 bits. */
  private static Object whole(String word) {
    boolean signed = word.startsWith("-") || word.startsWith("+");
    String digits = signed ? word.substring(1) : word;
    int base = 10;
    int prefix = 0;
    if (digits.length() > 1 && digits.charAt(0) == '0') {
      prefix = 2;
      switch (Character.toLowerCase(digits.charAt(1))) {
        case 'x' -> base = HEXADECIMAL;
        case 'o' -> base = OCTAL;
        case 'b' -> base = 2;
        default -> {
          base = OCTAL;
          prefix = 1;
        }
      }
    }
    digits = digits.substring(prefix);
    if (digits.isEmpty()
        || digits.length() > Long.SIZE
        || Character.digit(digits.charAt(0), HEXADECIMAL) < 0) {
      return null;
    }
    try {
      BigInteger value = new BigInteger(word.startsWith("-") ? "-" + digits : digits, base);
      if (value.bitLength() < Long.SIZE) {
        return value.longValue();
      }
      return value.bitLength() == Long.SIZE && value.signum() > 0 ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
