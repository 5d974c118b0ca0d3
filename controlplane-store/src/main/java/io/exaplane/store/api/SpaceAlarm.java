// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether there is space, and etcd's alarm NOSPACE about it. The alarm is listed for a while after
 * its reason has ended, so that who looks now and then sees it, or until it is disarmed. Belongs to
 * the writer, but for {@link #isFull}.
 */
final class SpaceAlarm {
  static final long LINGER_MS = 60_000;
  private static final System.Logger LOG = System.getLogger(SpaceAlarm.class.getName());

  /** A store at its limit has space for moments: only what lasts so long is told. */
  private static final long QUIET_MS = 10_000;

  private final LongSupplier clockMs;
  private final Supplier<String> limits;
  private volatile boolean full;
  private final Set<String> told = new HashSet<>();
  private long askedMs;
  private long changedMs;
  private long listedUntilMs = Long.MIN_VALUE;

  /**
   * @param limits says which are reached, for the log
   */
  SpaceAlarm(LongSupplier clockMs, Supplier<String> limits) {
    this.clockMs = clockMs;
    this.limits = limits;
  }

  /** How it is now. What is reached is told once each time, however often it changes. */
  void note(boolean isFull) {
    if (isFull != full) {
      full = isFull;
      changedMs = clockMs.getAsLong();
      listedUntilMs = changedMs + LINGER_MS;
    }
    if (full && isToBeAsked() && told.add(limits.get())) {
      LOG.log(
          System.Logger.Level.INFO,
          "space is exceeded: the store refuses writes that add data until deletions make room; limits that are reached: {0}",
          limits.get());
    } else if (!full && !told.isEmpty() && clockMs.getAsLong() - changedMs >= QUIET_MS) {
      told.clear();
      LOG.log(System.Logger.Level.INFO, "the store has space again and accepts all writes");
    }
  }

  /** What the log said of limits since there was space. By the writer. */
  Set<String> told() {
    return Set.copyOf(told);
  }

  private boolean isToBeAsked() {
    long nowMs = clockMs.getAsLong();
    boolean isToBe = told.isEmpty() || nowMs - askedMs >= QUIET_MS;
    askedMs = isToBe ? nowMs : askedMs;
    return isToBe;
  }

  /** Whether it has to be noted also when nothing changed. By the writer. */
  boolean isWatched() {
    return full || !told.isEmpty();
  }

  /** Whether what grows is refused for lack of space. By any thread. */
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
