// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 1h30m}, {@code 1.5s}. */
final class GoDuration {
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /**
   * The duration.
   *
   * @throws IllegalArgumentException with what a duration looks like
   */
  static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(text);
    BigDecimal sumNs = BigDecimal.ZERO;
    int end = 0;
    while (part.find() && part.start() == end) {
      BigDecimal unit = BigDecimal.valueOf(UNITS.get(part.group(2)));
      sumNs = sumNs.add(new BigDecimal(part.group(1)).multiply(unit));
      end = part.end();
    }
    if (end == 0 || end < text.length()) {
      throw new IllegalArgumentException("a duration such as 10s, 1m30s or 500ms");
    }
    return Duration.ofNanos(sumNs.longValue());
  }
}
