// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Waits of commands, which nobody interrupts but to end them. */
final class Waiting {
  private Waiting() {}

  /** Until {@link System#nanoTime} is that far. */
  static void until(long nanoTime) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, nanoTime - System.nanoTime()));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static void millis(long millis) {
    until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** For all answers; throws what the first failed with. */
  static <T> List<T> all(List<Future<T>> futures) {
    List<T> answers = new ArrayList<>();
    try {
      for (Future<T> future : futures) {
        answers.add(future.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return answers;
  }

  static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }
}
