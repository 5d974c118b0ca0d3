// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Waits for what others do in their own time. A look that ends with an {@link IOException}, or with
 * a failure of Kubernetes' client, says nothing: the server is busy, a connection was reset, or
 * nobody listens yet. Stateless.
 */
public final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long SHORTEST_PAUSE_MS = 100;

  /** A look that a busy machine held up for a minute must not make the next one wait for nine. */
  private static final long LONGEST_PAUSE_MS = 10_000;

  /** A look may take a tenth of the time: it shares the cores with what is looked at. */
  private static final int PAUSES_TO_A_LOOK = 9;

  /** By name: some who wait have no such client. */
  private static final String CLIENTS_FAILURE =
      "io.fabric8.kubernetes.client.KubernetesClientException";

  private Await() {}

  /** Whether something holds now; it may fail. */
  @FunctionalInterface
  public interface Look<X extends Exception> {
    boolean holds() throws X;
  }

  /** Until it holds; fails after five minutes with what did not come true. */
  public static <X extends Exception> void until(String what, Look<X> look)
      throws X, InterruptedException {
    until(PATIENCE, what, look, () -> "");
  }

  /** The same, and says what there is instead. */
  public static <X extends Exception> void until(String what, Look<X> look, Callable<?> instead)
      throws X, InterruptedException {
    until(PATIENCE, what, look, instead);
  }

  /**
   * Until it holds; fails with what did not come true, and what there is instead.
   *
   * @param patience how long it may take
   * @param instead asked only for the failure; it may fail, too
   */
  public static <X extends Exception> void until(
      Duration patience, String what, Look<X> look, Callable<?> instead)
      throws X, InterruptedException {
    try (Spent.Going _ = Spent.on(Spent.Cause.WAITS)) {
      look(patience, what, look, instead);
    }
  }

  private static <X extends Exception> void look(
      Duration patience, String what, Look<X> look, Callable<?> instead)
      throws X, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      long began = System.nanoTime();
      Exception failure = null;
      try {
        if (look.holds()) {
          return;
        }
      } catch (Exception e) {
        if (!saysNothing(e)) {
          throw e;
        }
        failure = e;
      }
      if (began > deadline) {
        throw new AssertionError(
            "not within %s: %s; %s".formatted(patience, what, answer(instead)), failure);
      }
      long lookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      Thread.sleep(Math.clamp(PAUSES_TO_A_LOOK * lookMs, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
    }
  }

  private static boolean saysNothing(Exception e) {
    for (Class<?> kind = e.getClass(); kind != null; kind = kind.getSuperclass()) {
      if (kind == IOException.class || kind.getName().equals(CLIENTS_FAILURE)) {
        return true;
      }
    }
    return false;
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

  /** The end of a thread that was told to end. */
  public static void end(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
