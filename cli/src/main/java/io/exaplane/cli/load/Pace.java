// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Steps at a steady rate, which a late clock does not slow down: what is due is done. Used on the
 * load's thread.
 */
final class Pace {
  /** So that a rate of thousands does not need a task for each step. */
  private static final long SHORTEST_NANOS = 1_000_000;

  private final Timer timer;
  private final double perSecond;
  private final long most;
  private final IntConsumer step;
  private final BooleanSupplier mayStep;
  private long beganNanos;
  private long done;
  private boolean isStopped;

  /**
   * A pace that has not begun.
   *
   * @param most steps
   * @param mayStep whether a step that is due is done now, rather than later
   * @param step gets its number, from 0
   */
  Pace(Timer timer, double perSecond, long most, BooleanSupplier mayStep, IntConsumer step) {
    this.timer = timer;
    this.perSecond = perSecond;
    this.most = most;
    this.mayStep = mayStep;
    this.step = step;
  }

  void start() {
    beganNanos = timer.nanos();
    go();
  }

  void stop() {
    isStopped = true;
  }

  private void go() {
    if (isStopped) {
      return;
    }
    long due = Math.min(most, (long) ((timer.nanos() - beganNanos) / 1e9 * perSecond) + 1);
    while (done < due && !isStopped && mayStep.getAsBoolean()) {
      step.accept((int) done);
      done++;
    }
    if (done < most) {
      long next = beganNanos + (long) (done / perSecond * 1e9) - timer.nanos();
      timer.after(Math.max(next, SHORTEST_NANOS), this::go);
    }
  }
}
