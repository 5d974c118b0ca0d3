// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something now and each second, in a thread of its own, until it is closed. */
final class EverySecond implements AutoCloseable {
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Runnable task;
  private final Thread thread;

  /** The task must not throw. */
  EverySecond(String name, Runnable task) {
    this.task = task;
    this.thread = Thread.ofPlatform().name(name).start(this::run);
  }

  private void run() {
    try {
      do {
        task.run();
      } while (!stop.await(1, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the task wrote is seen by who calls this. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
