// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import org.HdrHistogram.Histogram;

/** Collects times of one kind. Thread-safe. */
final class Times {
  private final Histogram all = Latency.histogram();
  private final Histogram recent = Latency.histogram();

  synchronized void add(long nanos) {
    long units = Latency.units(nanos);
    all.recordValue(units);
    recent.recordValue(units);
  }

  synchronized Latency latency() {
    return Latency.of(all);
  }

  /** How many were longer. */
  synchronized long longerThan(long nanos) {
    long units = Latency.units(nanos);
    return all.getTotalCount() - all.getCountBetweenValues(0, units);
  }

  synchronized void reset() {
    all.reset();
    recent.reset();
  }

  /** Moves the times since the last call into another histogram. */
  synchronized void drainTo(Histogram target) {
    target.add(recent);
    recent.reset();
  }
}
