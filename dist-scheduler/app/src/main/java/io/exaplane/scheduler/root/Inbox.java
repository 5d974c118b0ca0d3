// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What has to be done on the cluster's thread, in the order in which it came. Who brings more than
 * there is room for waits: so does the API server in the end. Any thread puts, one takes.
 */
final class Inbox {
  private static final int CAPACITY = 8192;

  private final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(CAPACITY);

  /** Waits for room; an interrupt is kept, and the task is left out then. */
  void put(Runnable task) {
    try {
      tasks.put(task);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the task is done. */
  void putAndAwait(Runnable task) {
    CountDownLatch done = new CountDownLatch(1);
    put(
        () -> {
          try {
            task.run();
          } finally {
            done.countDown();
          }
        });
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Does what is there, waiting for the first of it.
   *
   * @param most at most so much
   * @return how much
   */
  int drain(int most, long waitMs) throws InterruptedException {
    Runnable task = waitMs == 0 ? tasks.poll() : tasks.poll(waitMs, TimeUnit.MILLISECONDS);
    int count = 0;
    while (task != null) {
      task.run();
      count++;
      task = count < most ? tasks.poll() : null;
    }
    return count;
  }

  int size() {
    return tasks.size();
  }
}
