// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.wire.GrpcStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A thread that reads the whole store, or much of it, one request after the other, so that event
 * loops and writer need not wait for it.
 */
final class MaintenanceWorker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(MaintenanceWorker.class.getName());
  private static final int MOST_WAITING = 16;
  private static final long STOP_MS = 2_000;

  private final ThreadPoolExecutor thread;
  private final EpochReclaimer.Reader epoch;

  /**
   * @param name of the thread
   * @param epoch the thread's place
   */
  MaintenanceWorker(String name, EpochReclaimer.Reader epoch) {
    this.epoch = epoch;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().name(name).priority(Thread.MIN_PRIORITY).factory());
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Has a task done for a call, in its turn. A failure that nobody foresaw ends the call.
   *
   * @throws StoreException if too many wait
   */
  void submit(GrpcStream stream, Consumer<EpochReclaimer.Reader> task) {
    try {
      thread.execute(() -> run(stream, task));
    } catch (RejectedExecutionException e) {
      throw StoreException.TOO_MANY_REQUESTS;
    }
  }

  /**
   * Has a task done, in its turn.
   *
   * @throws StoreException if too many wait
   */
  <T> CompletableFuture<T> submit(Function<EpochReclaimer.Reader, T> task) {
    try {
      return CompletableFuture.supplyAsync(() -> task.apply(epoch), thread);
    } catch (RejectedExecutionException e) {
      throw StoreException.TOO_MANY_REQUESTS;
    }
  }

  private void run(GrpcStream stream, Consumer<EpochReclaimer.Reader> task) {
    try {
      task.accept(epoch);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a maintenance request failed", e);
      StoreException answer = StoreException.unavailable(e.toString());
      stream.loop().execute(() -> stream.fail(answer));
    }
  }

  /** Interrupts what is under way. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING, "a maintenance request still runs while the store stops");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
