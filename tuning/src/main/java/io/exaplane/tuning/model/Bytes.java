// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of memory as Kubernetes writes them: 64Gi, 512Mi, 8G, 4e9, 4294967296000m, 1024. */
public final class Bytes {
  public static final double KIB = 1 << 10;
  public static final double MIB = 1 << 20;
  public static final double GIB = 1 << 30;
  private static final String LARGE = "KMGTPE";
  private static final String SMALL = "mun";

  /** A number with a large unit, a small one as autoscalers write it, or an exponent. */
  private static final Pattern QUANTITY =
      Pattern.compile("\\+?(\\d+\\.?\\d*|\\.\\d+)(?:([KMGTPE]i?|k)|([mun])|[eE]([-+]?\\d{1,3}))?");

  private Bytes() {}

  static double parse(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a quantity such as 64Gi or 512Mi");
    }
    double number = Double.parseDouble(matcher.group(1));
    if (matcher.group(2) != null) {
      String unit = matcher.group(2).toUpperCase(Locale.ROOT);
      double base = unit.endsWith("I") ? 1024 : 1000;
      return number * Math.pow(base, LARGE.indexOf(unit.charAt(0)) + 1);
    }
    if (matcher.group(3) != null) {
      return number / Math.pow(1000, SMALL.indexOf(matcher.group(3)) + 1);
    }
    int exponent = matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4));
    return number * Math.pow(10, exponent);
  }

  /** For people: three digits and the largest unit that leaves something before the point. */
  public static String text(double bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    double left = bytes;
    while (left >= 1024 && unit < units.length - 1) {
      left /= 1024;
      unit++;
    }
    return String.format(
        Locale.ROOT, left < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", left, units[unit]);
  }
}
