// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.function.LongSupplier;

/**
 * Whether there is space, and etcd's alarm NOSPACE about it. The alarm is listed for a while after
 * its reason has ended, so that who looks now and then sees it, or until it is disarmed. Belongs to
 * the writer, but for {@link #isFull}.
 */
final class SpaceAlarm {
  static final long LINGER_MS = 60_000;
  private static final System.Logger LOG = System.getLogger(SpaceAlarm.class.getName());

  private final LongSupplier clockMs;
  private volatile boolean full;
  private long listedUntilMs = Long.MIN_VALUE;

  SpaceAlarm(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** How it is now. */
  void note(boolean isFull) {
    if (isFull == full) {
      return;
    }
    full = isFull;
    listedUntilMs = clockMs.getAsLong() + LINGER_MS;
    LOG.log(
        System.Logger.Level.INFO,
        isFull
            ? "space is exceeded, new versions are refused until deletions and compaction make room"
            : "there is space again, writes go on");
  }

  /** Whether new versions are refused for lack of space. By any thread. */
  boolean isFull() {
    return full;
  }

  boolean isListed() {
    return full || clockMs.getAsLong() < listedUntilMs;
  }

  /** It is listed no more, unless its reason lasts. */
  void disarm() {
    listedUntilMs = Long.MIN_VALUE;
  }
}
