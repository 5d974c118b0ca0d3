// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what a server does in its own time. */
final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(200);

  private Await() {}

  /** Until it holds; fails after a minute and a half with what did not come true. */
  static void until(String what, Callable<Boolean> holds) throws Exception {
    until(what, holds, () -> "");
  }

  /** The same, and says what there is instead. */
  static void until(String what, Callable<Boolean> holds, Callable<?> instead) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within %s: %s %s".formatted(PATIENCE, what, instead.call()));
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
