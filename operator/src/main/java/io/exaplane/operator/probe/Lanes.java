// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Who asks: virtual threads of a bounded number, in two lanes, so that those who answer never wait
 * for the time-outs of those who do not. Each lane is a queue, the oldest first. Thread-safe.
 *
 * @param clock says when; it does nothing else
 * @param prompt asks those who answered last time
 * @param silent asks those who did not, or were never asked
 */
record Lanes(ScheduledExecutorService clock, ExecutorService prompt, ExecutorService silent) {
  private static final int PROMPT = 32;
  private static final int SILENT = 128;

  static Lanes named(String name) {
    return new Lanes(
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name + "-clock").daemon().factory()),
        lane(name, PROMPT),
        lane(name + "-silent", SILENT));
  }

  private static ExecutorService lane(String name, int width) {
    return Executors.newFixedThreadPool(width, Thread.ofVirtual().name(name + "-", 0).factory());
  }

  void stop() {
    clock.shutdownNow();
    prompt.shutdownNow();
    silent.shutdownNow();
  }
}
