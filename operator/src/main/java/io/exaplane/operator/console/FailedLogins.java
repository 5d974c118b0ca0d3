// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many wrong tokens came lately, from each address and from all together: each of them costs
 * the API server a review. A window begins with its first failure. Thread-safe.
 */
final class FailedLogins {
  static final Duration WINDOW = Duration.ofMinutes(1);
  static final int MOST_OF_ONE = 10;
  static final int MOST_OF_ALL = 100;

  private final LongSupplier nanoTime;
  private final Map<String, Integer> failures = new HashMap<>();
  private long beganNanos;
  private int all;

  FailedLogins(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.beganNanos = nanoTime.getAsLong();
  }

  /** Whether somebody there may try. */
  synchronized boolean mayTry(String address) {
    roll();
    return all < MOST_OF_ALL && failures.getOrDefault(address, 0) < MOST_OF_ONE;
  }

  /** A token from there was wrong. */
  synchronized void failed(String address) {
    roll();
    all++;
    failures.merge(address, 1, Integer::sum);
  }

  /** All of them are forgotten at once, so that their number has a bound. */
  private void roll() {
    if (nanoTime.getAsLong() - beganNanos >= WINDOW.toNanos()) {
      beganNanos = nanoTime.getAsLong();
      failures.clear();
      all = 0;
    }
  }
}
