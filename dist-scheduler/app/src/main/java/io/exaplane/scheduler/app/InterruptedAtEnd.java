// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

/** As long as it is open, a process that is asked to end interrupts the thread that opened it. */
final class InterruptedAtEnd implements AutoCloseable {
  private final Thread hook;

  InterruptedAtEnd() {
    Thread here = Thread.currentThread();
    hook = Thread.ofPlatform().unstarted(here::interrupt);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, be it for this or not.
    }
  }
}
