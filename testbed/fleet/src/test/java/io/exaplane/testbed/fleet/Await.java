// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.fail;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what comes true in its own time. A request that fails says nothing: the server is busy,
 * or a connection was reset.
 */
final class Await {
  private static final long PAUSE_MS = 200;

  /** A look may take a tenth of the time: it shares the cores with what is looked at. */
  private static final int PAUSES_TO_A_LOOK = 9;

  /** A look that a busy machine held up for a minute must not make the next one wait for nine. */
  private static final long MOST_PAUSE_MS = 20_000;

  private Await() {}

  static void until(
      Duration patience, String what, BooleanSupplier condition, Supplier<Object> instead)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      long began = System.nanoTime();
      KubernetesClientException failure = null;
      try {
        if (condition.getAsBoolean()) {
          return;
        }
      } catch (KubernetesClientException e) {
        failure = e;
      }
      if (began > deadline) {
        fail("not within %s: %s; %s".formatted(patience, what, instead.get()), failure);
      }
      long lookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      Thread.sleep(Math.clamp(PAUSES_TO_A_LOOK * lookMs, PAUSE_MS, MOST_PAUSE_MS));
    }
  }
}
