// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.util.function.LongSupplier;

/**
 * Keeps the heap of a command that stays near what is alive in it. The serial collector lets the
 * heap grow while the machine has memory, and gives memory back only when it collects all. A fixed
 * bound would end the command with more objects than somebody thought of. One thread of its own.
 */
final class SmallHeap implements AutoCloseable {
  static final String THREAD = "small-heap";

  /** Growth in bytes that is worth a collection: more than what comes and goes. */
  static final long LEAST = 24L << 20;

  /** The same as a part of what is alive. */
  static final int PART = 4;

  private static final long LOOK_MS = 250;

  private final LongSupplier used;
  private final Runnable collection;
  private long alive;

  /** The one that looks from time to time; null if the caller does. */
  private Thread thread;

  /**
   * Has no thread: the caller calls {@link #look}.
   *
   * @param used bytes of the heap, with what nobody needs any more
   * @param collection gives back what nobody needs
   */
  SmallHeap(LongSupplier used, Runnable collection) {
    this.used = used;
    this.collection = collection;
    alive = used.getAsLong();
  }

  /** Of this process, until it is closed. */
  static SmallHeap begun() {
    Runtime runtime = Runtime.getRuntime();
    SmallHeap heap = new SmallHeap(() -> runtime.totalMemory() - runtime.freeMemory(), System::gc);
    heap.thread = Thread.ofPlatform().name(THREAD).daemon().start(heap::run);
    return heap;
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(LOOK_MS);
        look();
      }
    } catch (InterruptedException e) {
      // Closed: the command ends.
    }
  }

  /** Collects if the heap has grown enough since the last collection. */
  void look() {
    long now = used.getAsLong();
    alive = Math.min(alive, now);
    if (now - alive > Math.max(LEAST, alive / PART)) {
      collection.run();
      alive = used.getAsLong();
    }
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
