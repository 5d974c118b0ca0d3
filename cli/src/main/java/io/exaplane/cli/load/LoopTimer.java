// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The machine's time, on one thread. Tasks that come after the end are dropped. Thread-safe. */
final class LoopTimer implements Timer, AutoCloseable {
  private final ScheduledThreadPoolExecutor loop =
      new ScheduledThreadPoolExecutor(
          1, task -> Thread.ofPlatform().daemon().name("load").unstarted(task));
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  LoopTimer() {
    loop.setRemoveOnCancelPolicy(true);
    loop.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void execute(Runnable task) {
    after(0, task);
  }

  @Override
  public void after(long nanos, Runnable task) {
    try {
      loop.schedule(() -> guarded(task), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      if (!loop.isShutdown()) {
        throw e;
      }
    }
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** The first failure of a task: a bug of the load, which the command reports. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  @Override
  public void close() {
    loop.shutdownNow();
  }
}
