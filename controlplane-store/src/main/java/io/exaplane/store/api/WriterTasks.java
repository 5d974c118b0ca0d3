// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.move.MoveException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What the store itself has to do on the writer's thread, beside clients' commands: one piece in a
 * turn and before the turn's commands, so that all that was applied before is durable and shown
 * when it begins. Its result is handed out when its own changes are. Filled by any thread, else
 * used by the writer.
 */
final class WriterTasks {
  /** More are refused: those who ask come one after the other. */
  private static final int MOST = 64;

  /** A piece of work. */
  @FunctionalInterface
  interface Work<T> {
    /**
     * Does it, or throws before it has changed anything.
     *
     * @throws MoveException if it can't be done
     */
    T apply(Applier applier);
  }

  private static final class Task<T> {
    private final Work<T> work;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private T done;

    Task(Work<T> work) {
      this.work = work;
    }

    boolean run(Applier applier) {
      try {
        done = work.apply(applier);
        return true;
      } catch (MoveException | StoreException e) {
        result.completeExceptionally(e);
        return false;
      }
    }

    void shown() {
      result.complete(done);
    }
  }

  private final LinkedBlockingQueue<Task<?>> queue = new LinkedBlockingQueue<>(MOST);
  private Task<?> applied;

  /** Has a piece of work done; completes exceptionally if too many wait. By any thread. */
  <T> CompletableFuture<T> add(Work<T> work) {
    Task<T> task = new Task<>(work);
    if (!queue.offer(task)) {
      task.result.completeExceptionally(
          new MoveException(503, "the store is busy with other requests about moves; ask again"));
    }
    return task.result;
  }

  /** Whether nothing waits. By any thread. */
  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Does the next piece of work. */
  void run(Applier applier) {
    Task<?> next = queue.poll();
    if (next != null && next.run(applier)) {
      applied = next;
    }
  }

  /** Hands out the result: what was done is durable and shown. */
  void shown() {
    if (applied != null) {
      Task<?> done = applied;
      applied = null;
      done.shown();
    }
  }

  /** Refuses what waits: it can't be done now. By any thread. */
  void refuse(String why) {
    for (Task<?> task = queue.poll(); task != null; task = queue.poll()) {
      task.result.completeExceptionally(new MoveException(503, why));
    }
  }

  /** The writer ended; nobody knows whether the next start finds what was done last. */
  void end(String why) {
    if (applied != null) {
      applied.result.completeExceptionally(new MoveException(503, why));
      applied = null;
    }
    refuse(why);
  }
}
