// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A histogram of durations: how many took at most so many seconds. Immutable.
 *
 * @param upTo counts by their upper bound in seconds; the last bound may be infinite
 */
record DurationCounts(NavigableMap<Double, Double> upTo) {

  /** Those that were added since an earlier look. */
  DurationCounts since(DurationCounts before) {
    NavigableMap<Double, Double> added = new TreeMap<>();
    upTo.forEach(
        (bound, count) ->
            added.put(bound, Math.max(0, count - before.upTo.getOrDefault(bound, 0.0))));
    return new DurationCounts(added);
  }

  /**
   * A quantile in seconds, as Prometheus computes it: evenly spread within a bucket, and the last
   * finite bound for what is above it; 0 if there is nothing.
   */
  double quantile(double part) {
    double all = upTo.isEmpty() ? 0 : upTo.lastEntry().getValue();
    if (all <= 0) {
      return 0;
    }
    double wanted = part * all;
    double lowerBound = 0;
    double lowerCount = 0;
    for (Map.Entry<Double, Double> bucket : upTo.entrySet()) {
      if (bucket.getValue() >= wanted) {
        double inside = bucket.getValue() - lowerCount;
        return Double.isInfinite(bucket.getKey()) || inside <= 0
            ? lowerBound
            : lowerBound + (bucket.getKey() - lowerBound) * (wanted - lowerCount) / inside;
      }
      lowerBound = Double.isInfinite(bucket.getKey()) ? lowerBound : bucket.getKey();
      lowerCount = bucket.getValue();
    }
    return lowerBound;
  }
}
