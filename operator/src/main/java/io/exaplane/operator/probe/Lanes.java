// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;

/**
 * Who asks: virtual threads of a bounded number, in two lanes, so that those who answer never wait
 * for the time-outs of those who do not. Each lane is a queue, the oldest first. Who answered last
 * time and does not now leaves the prompt lane after a moment, and is waited for beside it.
 * Thread-safe.
 */
final class Lanes {
  private static final int PROMPT = 32;
  private static final int SILENT = 128;

  /** Looks of the prompt lane that are under way, also those that left it. */
  private static final int MOST_BESIDE = 256;

  /** Longer than who answers takes. */
  private static final Duration MOMENT = Duration.ofMillis(250);

  private final ScheduledExecutorService clock;
  private final ExecutorService prompt;
  private final ExecutorService silent;
  private final String name;
  private final Semaphore beside = new Semaphore(MOST_BESIDE);
  private final Set<Thread> asking = ConcurrentHashMap.newKeySet();

  private Lanes(String name) {
    this.name = name;
    this.clock =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name + "-clock").daemon().factory());
    this.prompt = lane(name, PROMPT);
    this.silent = lane(name + "-silent", SILENT);
  }

  static Lanes named(String name) {
    return new Lanes(name);
  }

  private static ExecutorService lane(String name, int width) {
    return Executors.newFixedThreadPool(width, Thread.ofVirtual().name(name + "-", 0).factory());
  }

  /** Says when; it does nothing else. */
  ScheduledExecutorService clock() {
    return clock;
  }

  /** Asks one that answered last time. */
  void prompt(Runnable look) {
    prompt.execute(() -> lookBeside(look));
  }

  /** Asks one that did not, or was never asked. */
  void silent(Runnable look) {
    silent.execute(look);
  }

  private void lookBeside(Runnable look) {
    if (!beside.tryAcquire()) {
      look.run();
      return;
    }
    Thread thread = Thread.ofVirtual().name(name + "-beside").unstarted(() -> run(look));
    asking.add(thread);
    thread.start();
    try {
      thread.join(MOMENT);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run(Runnable look) {
    try {
      look.run();
    } finally {
      asking.remove(Thread.currentThread());
      beside.release();
    }
  }

  void stop() {
    clock.shutdownNow();
    prompt.shutdownNow();
    silent.shutdownNow();
    asking.forEach(Thread::interrupt);
  }
}
