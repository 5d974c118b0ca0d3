// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/** The lowest and the highest of many scores, as far as others are measured by them. */
public record Extrema(long min, long max) {
  /** Of no scores. */
  public static final Extrema NONE = new Extrema(Long.MAX_VALUE, Long.MIN_VALUE);

  static Extrema of(long[] scores, int count) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      min = Math.min(min, scores[i]);
      max = Math.max(max, scores[i]);
    }
    return new Extrema(min, max);
  }

  /** Of these scores and of others. */
  public Extrema and(Extrema other) {
    return new Extrema(Math.min(min, other.min), Math.max(max, other.max));
  }
}
