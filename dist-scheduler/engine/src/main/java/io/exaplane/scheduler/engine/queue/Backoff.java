// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

/**
 * How long pods wait after attempts that failed: twice as long each time. Times count in whole
 * seconds, so that pods whose wait ends in the same second are ordered by priority. Source:
 * pkg/scheduler/backend/queue/backoff_queue.go.
 *
 * @param initialMs after the first attempt (podInitialBackoffSeconds)
 * @param maxMs at most (podMaxBackoffSeconds), for one pod; 0 for no wait at all
 */
public record Backoff(long initialMs, long maxMs) {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** kube-scheduler's: a second, then two, four, eight, and ten from then on. */
  public static final Backoff DEFAULT = new Backoff(1000, 10_000);

  /**
   * How long pods wait after so many attempts in vain, in nanoseconds.
   *
   * @param pods how many wait together: the most is longer by the square root
   */
  long durationNs(int attempts, int pods) {
    long initial = initialMs * NANOS_PER_MS;
    long most = maxMs * NANOS_PER_MS;
    most = pods > 1 ? (long) (most * Math.sqrt(pods)) : most;
    int shift = attempts - 1;
    boolean beyond = shift >= Long.SIZE - 1 || initial > most >> shift;
    return beyond ? most : initial << shift;
  }

  /**
   * In which second since 1970 the wait ends; it is over when that second is. {@link
   * Long#MIN_VALUE} if there is none.
   *
   * @param fromNs when the last attempt failed
   * @param attempts in vain so far
   */
  long endSecond(long fromNs, int attempts, int pods) {
    return maxMs == 0 || attempts == 0
        ? Long.MIN_VALUE
        : second(fromNs + durationNs(attempts, pods));
  }

  static long second(long timeNs) {
    return Math.floorDiv(timeNs, NANOS_PER_SECOND);
  }
}
