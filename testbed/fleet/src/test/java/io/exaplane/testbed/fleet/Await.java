// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what comes true in its own time. */
final class Await {
  private static final long PAUSE_MS = 200;

  /** A look may take a tenth of the time: it shares the cores with what is looked at. */
  private static final int PAUSES_TO_A_LOOK = 9;

  private Await() {}

  static void until(
      Duration patience, String what, BooleanSupplier condition, Supplier<Object> instead)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      long began = System.nanoTime();
      if (condition.getAsBoolean()) {
        return;
      }
      if (began > deadline) {
        fail("not within %s: %s; %s", patience, what, instead.get());
      }
      long lookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      Thread.sleep(Math.max(PAUSE_MS, PAUSES_TO_A_LOOK * lookMs));
    }
  }
}
