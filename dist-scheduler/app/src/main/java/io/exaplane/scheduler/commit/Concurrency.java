// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many requests are under way at a time: more while the server answers as fast as it can, half
 * as many when it asks for less, a tenth less when answers take much longer than they did with few.
 * Any thread.
 */
final class Concurrency {
  private static final double FIRST = 16;
  private static final double HALF = 0.5;
  private static final double TENTH = 0.9;

  /** Answers that take so many times longer than the fastest wait for each other. */
  private static final int SLOW = 8;

  private static final long NOT_SLOW_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long MEMORY_NS = TimeUnit.SECONDS.toNanos(30);

  /** Wakes one for one that is done: of thousands that wait, the others sleep on. */
  private final Turns turns;

  private final int most;
  private double limit;
  private long fastestNs = Long.MAX_VALUE;
  private long fastestSinceNs;
  private long lessSinceNs;

  private static final class Turns extends Semaphore {
    private static final long serialVersionUID = 1L;

    Turns(int permits) {
      super(permits, true);
    }

    void changeBy(int difference) {
      if (difference > 0) {
        release(difference);
      } else if (difference < 0) {
        reducePermits(-difference);
      }
    }
  }

  /** Never more than so many. */
  Concurrency(int most) {
    this.most = most;
    limit = Math.min(FIRST, most);
    turns = new Turns((int) limit);
  }

  /** Waits for its turn. */
  void acquire() throws InterruptedException {
    turns.acquire();
  }

  /**
   * A request is done.
   *
   * @param overloaded whether the server could not take it
   */
  void release(boolean overloaded, long tookNs, long nowNs) {
    boolean full = turns.availablePermits() <= 0;
    adapt(overloaded, full, tookNs, nowNs);
    turns.release();
  }

  private synchronized void adapt(boolean overloaded, boolean full, long tookNs, long nowNs) {
    int before = (int) limit;
    if (overloaded) {
      less(HALF, nowNs);
    } else {
      remember(tookNs, nowNs);
      if (tookNs > Math.max(NOT_SLOW_NS, SLOW * fastestNs)) {
        less(TENTH, nowNs);
      } else if (full) {
        limit = Math.min(most, limit + 1 / limit);
      }
    }
    turns.changeBy((int) limit - before);
  }

  private void remember(long tookNs, long nowNs) {
    if (tookNs < fastestNs || nowNs - fastestSinceNs > MEMORY_NS) {
      fastestNs = tookNs;
      fastestSinceNs = nowNs;
    }
  }

  /** Once a second: the answers that are under way do not know of it yet. */
  private void less(double factor, long nowNs) {
    if (lessSinceNs == 0 || nowNs - lessSinceNs > WINDOW_NS) {
      limit = Math.max(1, limit * factor);
      lessSinceNs = nowNs;
    }
  }

  /** How many may be under way now. */
  synchronized int limit() {
    return (int) limit;
  }
}
