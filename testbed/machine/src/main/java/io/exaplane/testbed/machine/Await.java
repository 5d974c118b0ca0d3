// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other processes do in their own time. */
public final class Await {
  private static final Duration POLL = Duration.ofMillis(50);

  private Await() {}

  /**
   * Until it holds; fails with what did not come true, and what there is instead. A look that ends
   * with an {@link IOException} says nothing: a connection was reset, or nobody listens yet.
   *
   * @param patience how long it may take
   * @param instead asked only for the failure; it may fail, too
   */
  public static void until(
      Duration patience, String what, Callable<Boolean> holds, Callable<?> instead)
      throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
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
            "not within %s: %s; %s".formatted(patience, what, answer(instead)), failure);
      }
      Thread.sleep(POLL);
    }
  }

  private static String answer(Callable<?> instead) throws InterruptedException {
    try {
      return String.valueOf(instead.call());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return "which can't be told: " + e;
    }
  }
}
