// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import org.HdrHistogram.Histogram;

/**
 * How long something took, ms.
 *
 * @param count of measured times
 */
public record Latency(long count, double p50, double p90, double p99, double p999, double max) {
  private static final double NANOS_OF_UNIT = 1_000;
  private static final double UNITS_OF_MS = 1_000;

  /** The longest time that is told apart; longer ones count as this. */
  private static final long LONGEST_UNITS = 3_600_000_000L;

  private static final int DIGITS = 2;

  /** Takes times in microseconds, to a hundredth of each. */
  static Histogram histogram() {
    return new Histogram(LONGEST_UNITS, DIGITS);
  }

  /** What such a histogram holds for a time in ns. */
  static long units(long nanos) {
    return Math.clamp(Math.round(nanos / NANOS_OF_UNIT), 0, LONGEST_UNITS);
  }

  static Latency of(Histogram times) {
    return new Latency(
        times.getTotalCount(),
        at(times, 50),
        at(times, 90),
        at(times, 99),
        at(times, 99.9),
        times.getMaxValue() / UNITS_OF_MS);
  }

  private static double at(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? 0 : times.getValueAtPercentile(percent) / UNITS_OF_MS;
  }
}
