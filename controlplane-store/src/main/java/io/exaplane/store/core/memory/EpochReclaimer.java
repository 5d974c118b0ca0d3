// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Lets the writer free what readers on other threads may still be looking at. A reader enters
 * before it takes the view that it reads, and leaves after its last look; what the writer took out
 * of reach is freed when every reader that was inside at that time has left.
 *
 * <p>Enter and leave cost one store and a fence; nobody waits for anybody.
 */
public final class EpochReclaimer {
  private static final VarHandle ATOMIC_LONG = MethodHandles.arrayElementVarHandle(long[].class);

  /** Readers' words lie this many longs apart, so that they share no cache line. */
  private static final int STRIDE = 16;

  private static final long OUTSIDE = Long.MAX_VALUE;

  private record Retired(long epoch, Runnable free) {}

  private final long[] entered;
  private final ArrayDeque<Retired> retired = new ArrayDeque<>();
  private volatile long epoch;
  private int readers;

  public EpochReclaimer(int maxReaders) {
    entered = new long[(maxReaders + 1) * STRIDE];
    Arrays.fill(entered, OUTSIDE);
  }

  /** A reading thread's place. Used by one thread at a time, and not entered twice. */
  public final class Reader {
    private final int index;

    private Reader(int index) {
      this.index = index;
    }

    public void enter() {
      ATOMIC_LONG.setOpaque(entered, index, epoch);
      // What is read afterwards must not be read before the writer can see that we are inside.
      VarHandle.fullFence();
    }

    public void leave() {
      ATOMIC_LONG.setRelease(entered, index, OUTSIDE);
    }
  }

  /**
   * Adds a reader.
   *
   * @throws IllegalStateException if there are as many as there may be
   */
  public synchronized Reader newReader() {
    if ((readers + 2) * STRIDE > entered.length) {
      throw new IllegalStateException("more than %d reading threads".formatted(readers));
    }
    int index = ++readers * STRIDE;
    return new Reader(index);
  }

  /** Frees something, out of readers' reach by now, when it is safe. By the writer. */
  public void afterReaders(Runnable free) {
    retired.add(new Retired(epoch, free));
  }

  /** Frees what can be freed. By the writer, now and then. */
  public void reclaim() {
    if (retired.isEmpty()) {
      return;
    }
    epoch++;
    VarHandle.fullFence();
    long oldest = OUTSIDE;
    for (int index = STRIDE; index < entered.length; index += STRIDE) {
      oldest = Math.min(oldest, (long) ATOMIC_LONG.getVolatile(entered, index));
    }
    while (!retired.isEmpty() && retired.peek().epoch() < oldest) {
      retired.poll().free().run();
    }
  }
}
