// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import java.time.Duration;

/** The longest time without a success, and the longest wait for one. Thread-safe. */
final class Pauses {
  private long lastNanos = System.nanoTime();
  private long longestGapNanos;
  private long longestWaitNanos;
  private long successes;

  /** Forgets all: a measurement begins. */
  synchronized void begin() {
    lastNanos = System.nanoTime();
    longestGapNanos = 0;
    longestWaitNanos = 0;
    successes = 0;
  }

  /** A request that was sent then has succeeded. */
  synchronized void succeeded(long sentNanos) {
    long now = System.nanoTime();
    longestGapNanos = Math.max(longestGapNanos, now - lastNanos);
    longestWaitNanos = Math.max(longestWaitNanos, now - sentNanos);
    lastNanos = now;
    successes++;
  }

  synchronized long successes() {
    return successes;
  }

  /** With the time since the last success. */
  synchronized Duration longestGap() {
    return Duration.ofNanos(Math.max(longestGapNanos, System.nanoTime() - lastNanos));
  }

  synchronized Duration longestWait() {
    return Duration.ofNanos(longestWaitNanos);
  }

  @Override
  public synchronized String toString() {
    return "%,d done, longest time without one %d ms, longest wait of a client %d ms"
        .formatted(successes, longestGap().toMillis(), longestWait().toMillis());
  }
}
