// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Who waits for a turn: a pod, or, from 1.37 on, the pods of a group together. */
abstract sealed class Waiter permits QueuedPod, QueuedGroup {
  /** Who came before whom, where nothing else decides. */
  final long number;

  /** The plugins that refused a pod the last time, or keep it from its turn; none of a group. */
  final Set<String> rejectors = new TreeSet<>();

  /** When it came, or left its gates for the first time. */
  long sinceNs;

  QueuedPod.Place place = QueuedPod.Place.IN_FLIGHT;
  long timestampNs;

  /** When it was tried again last because nothing had happened for long; {@link Long#MIN_VALUE}. */
  long triedNs = Long.MIN_VALUE;

  int attempts;
  int refusals;
  int errorsInRow;

  /** Counts up with the first turn that is had; 0 before that. */
  long firstTurn;

  /** In which second the wait ends, or {@link Long#MIN_VALUE} if no attempt failed. */
  long waitEndSecond = Long.MIN_VALUE;

  /** The plugin that keeps it from its turn, or null. */
  String gatedBy;

  Waiter(long number, long timestampNs) {
    this.number = number;
    this.timestampNs = timestampNs;
    sinceNs = timestampNs;
  }

  /** By which it is known; pods and groups have no keys in common. */
  abstract String key();

  abstract int priority();

  /** Whose turn it is, in the order in which they are decided about. */
  abstract List<QueuedPod> pods();

  /** Whether a plugin keeps it from its turn, scheduling gates for one. */
  public boolean isGated() {
    return gatedBy != null;
  }

  /** Since when it waits, nanoseconds since 1970. */
  public long sinceNs() {
    return sinceNs;
  }

  boolean waits(long nowNs) {
    return waitEndSecond >= Backoff.second(nowNs);
  }

  /** An attempt ended: counts what it was. */
  void ended(boolean refused) {
    if (refused) {
      refusals++;
      errorsInRow = 0;
    } else {
      errorsInRow++;
    }
  }

  /** Begins the wait after the attempts so far. */
  void waitFor(Backoff backoff) {
    int failures = errorsInRow > 0 ? errorsInRow : refusals;
    waitEndSecond = backoff.endSecond(timestampNs, failures, pods().size());
  }
}
