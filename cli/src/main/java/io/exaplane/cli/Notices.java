// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.engine.Notice;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was told and not printed yet, while a terminal may be stopped: when there is no room, the
 * oldest are dropped. Thread-safe.
 */
final class Notices {
  private final int most;
  private final Deque<Notice> waiting = new ArrayDeque<>();
  private long dropped;

  Notices(int most) {
    this.most = most;
  }

  synchronized void add(Notice notice) {
    if (waiting.size() == most) {
      waiting.removeFirst();
      dropped++;
    }
    waiting.addLast(notice);
  }

  /** Takes the oldest; null if there is none. */
  synchronized Notice next() {
    return waiting.pollFirst();
  }

  /** How many were dropped since this was asked last. */
  synchronized long dropped() {
    long all = dropped;
    dropped = 0;
    return all;
  }
}
