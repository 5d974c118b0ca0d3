// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what a server does in its own time; a look that finds nobody there says nothing. */
final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);

  private Await() {}

  /** Until it holds; fails after three minutes with what did not come true. */
  static void until(String what, Callable<Boolean> holds) throws Exception {
    until(what, holds, () -> "");
  }

  /** The same, and says what there is instead. */
  static void until(String what, Callable<Boolean> holds, Callable<?> instead) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      IOException failure = null;
      try {
        if (holds.call()) {
          return;
        }
      } catch (IOException e) {
        failure = e;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "not within %s: %s; %s".formatted(PATIENCE, what, instead.call()), failure);
      }
      Thread.sleep(POLL);
    }
  }

  /** The end of a thread that was told to end. */
  static void end(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
