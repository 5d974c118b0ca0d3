// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other processes do in their own time. */
public final class Await {
  private static final Duration POLL = Duration.ofMillis(50);

  private Await() {}

  /**
   * Until it holds; fails with what did not come true, and what there is instead.
   *
   * @param patience how long it may take
   */
  public static void until(
      Duration patience, String what, Callable<Boolean> holds, Callable<?> instead)
      throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!holds.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within %s: %s; %s".formatted(patience, what, instead.call()));
      }
      Thread.sleep(POLL);
    }
  }
}
