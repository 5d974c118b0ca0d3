// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

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
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final long SHORTEST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 2000;

  /** A look may take a tenth of the time: it shares the cores with what is looked at. */
  private static final int PAUSES_TO_A_LOOK = 9;

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
    long lookedNs = System.nanoTime();
    while (true) {
      KubernetesClientException failure = null;
      try {
        if (condition.getAsBoolean()) {
          return;
        }
      } catch (KubernetesClientException e) {
        failure = e;
      }
      long now = System.nanoTime();
      if (now > deadline) {
        fail("not within %s: %s; %s".formatted(patience, what, instead.get()), failure);
      }
      long pauseMs = TimeUnit.NANOSECONDS.toMillis(PAUSES_TO_A_LOOK * (now - lookedNs));
      Thread.sleep(Math.clamp(pauseMs, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
      lookedNs = System.nanoTime();
    }
  }
}
