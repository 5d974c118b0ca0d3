// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many requests are under way at a time: more while the server answers as fast as it can, half
 * as many when it asks for less, a tenth less when answers take much longer than they did with few.
 * Any thread.
 */
final class Concurrency {
  private static final double FIRST = 16;
  private static final double TENTH = 0.9;

  /** Answers that take so many times longer than the fastest wait for each other. */
  private static final int SLOW = 8;

  private static final long NOT_SLOW_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long MEMORY_NS = TimeUnit.SECONDS.toNanos(30);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final int most;
  private double limit;
  private int underWay;
  private long fastestNs = Long.MAX_VALUE;
  private long fastestSinceNs;
  private long lessSinceNs;

  /** Never more than so many. */
  Concurrency(int most) {
    this.most = most;
    limit = Math.min(FIRST, most);
  }

  /** Waits for its turn. */
  void acquire() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (underWay >= (int) limit) {
        room.await();
      }
      underWay++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A request is done.
   *
   * @param overloaded whether the server could not take it
   */
  void release(boolean overloaded, long tookNs, long nowNs) {
    lock.lock();
    try {
      boolean full = underWay >= (int) limit;
      underWay--;
      if (overloaded) {
        less(0.5, nowNs);
      } else {
        remember(tookNs, nowNs);
        if (tookNs > Math.max(NOT_SLOW_NS, SLOW * fastestNs)) {
          less(TENTH, nowNs);
        } else if (full) {
          limit = Math.min(most, limit + 1 / limit);
        }
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
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
  int limit() {
    lock.lock();
    try {
      return (int) limit;
    } finally {
      lock.unlock();
    }
  }
}
