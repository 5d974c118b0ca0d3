// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import java.time.Duration;
import java.util.List;

/**
 * How long something took, s.
 *
 * @param count of measured times
 */
public record Times(int count, double p50, double p99, double most) {
  /** Of times in any order. */
  public static Times of(List<Duration> times) {
    List<Duration> sorted = times.stream().sorted().toList();
    return sorted.isEmpty()
        ? new Times(0, 0, 0, 0)
        : new Times(sorted.size(), at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
  }

  private static double at(List<Duration> sorted, double share) {
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1).toMillis() / 1000.0;
  }
}
