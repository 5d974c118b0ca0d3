// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.stats;

import java.util.concurrent.atomic.AtomicLongArray;

/** How often something took how long. One thread records, any thread reads. */
public final class Histogram {
  /** Upper bound of the first bucket; each next one is twice as wide. */
  public static final long FIRST_NANOS = 50_000;

  /** Buckets with a bound; one more takes what is above the last one, 6.6 s. */
  public static final int BOUNDS = 18;

  private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS + 1);
  private final Counter sumNanos = new Counter();

  /** By its one thread. */
  public void record(long nanos) {
    long units = (Math.max(1, nanos) - 1) / FIRST_NANOS;
    int bucket = Math.min(BOUNDS, Long.SIZE - Long.numberOfLeadingZeros(units));
    buckets.lazySet(bucket, buckets.getPlain(bucket) + 1);
    sumNanos.add(nanos);
  }

  /** What was recorded so far: times by bucket, and the sum. */
  public Times times() {
    long[] counts = new long[BOUNDS + 1];
    for (int i = 0; i <= BOUNDS; i++) {
      counts[i] = buckets.getOpaque(i);
    }
    return new Times(counts, sumNanos.get());
  }

  /**
   * Times that were recorded.
   *
   * @param counts by bucket, each without those before
   */
  public record Times(long[] counts, long sumNanos) {
    public static final Times NONE = new Times(new long[BOUNDS + 1], 0);

    /** These and others. */
    public Times plus(Times others) {
      long[] sum = counts.clone();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += others.counts[i];
      }
      return new Times(sum, sumNanos + others.sumNanos);
    }
  }
}
