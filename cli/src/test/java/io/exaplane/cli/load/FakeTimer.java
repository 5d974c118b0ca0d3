// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that goes on when a test says so. Used by one thread. */
final class FakeTimer implements Timer {
  private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
  private long now;
  private long number;

  private record Due(long at, long number, Runnable task) {}

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Instant now() {
    return BEGAN.plusNanos(now);
  }

  @Override
  public void execute(Runnable task) {
    after(0, task);
  }

  @Override
  public void after(long nanos, Runnable task) {
    due.add(new Due(now + nanos, number++, task));
  }

  /** Runs all that is due until then, in its order. */
  void advance(Duration time) {
    long end = now + time.toNanos();
    while (!due.isEmpty() && due.peek().at() <= end) {
      Due next = due.remove();
      now = next.at();
      next.task().run();
    }
    now = end;
  }
}
