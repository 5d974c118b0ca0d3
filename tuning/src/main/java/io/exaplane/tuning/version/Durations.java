// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 1h30m}, {@code 500ms}, {@code 0s}. */
public final class Durations {
  /** Of the two letters for micro, one is Greek. */
  private static final Pattern PART =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)");

  private static final Map<String, Double> NANOS =
      Map.of(
          "ns", 1.0, "us", 1e3, "\u00b5s", 1e3, "\u03bcs", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "h",
          3600e9);

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException if Go would not
   */
  public static long nanos(String text) {
    if (text.equals("0")) {
      return 0;
    }
    Matcher matcher = PART.matcher(text);
    double nanos = 0;
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      nanos += Double.parseDouble(matcher.group(1)) * NANOS.get(matcher.group(2));
      end = matcher.end();
    }
    if (end == 0 || end != text.length() || nanos > Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "must be a duration such as 90s or 5m; got '" + text + "'");
    }
    return Math.round(nanos);
  }

  /** Whole seconds as Go would print them: {@code 40s}, {@code 5m0s}, {@code 1h0m0s}. */
  public static String ofSeconds(long seconds) {
    if (seconds < 60) {
      return seconds + "s";
    }
    String minutes = seconds / 60 % 60 + "m" + seconds % 60 + "s";
    return seconds < 3600 ? minutes : seconds / 3600 + "h" + minutes;
  }
}
