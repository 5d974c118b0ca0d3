// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what comes true in its own time. */
final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private Await() {}

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    until(what, condition, () -> "");
  }

  /** The same, and says what there is instead. */
  static void until(String what, BooleanSupplier condition, Supplier<Object> instead)
      throws InterruptedException {
    until(DEADLINE, what, condition, instead);
  }

  /** The same, for as long as that. */
  static void until(
      Duration patience, String what, BooleanSupplier condition, Supplier<Object> instead)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        fail("not within %s: %s; %s", patience, what, instead.get());
      }
      Thread.sleep(50);
    }
  }
}
