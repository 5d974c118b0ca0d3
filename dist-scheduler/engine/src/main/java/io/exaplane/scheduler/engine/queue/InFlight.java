// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.event.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pods that are being decided about, and what has happened since: it could not be told whether it
 * helps them. Changes are kept as long as a pod is in flight that was before them.
 */
final class InFlight {
  /** By uid, how many changes had happened when its turn began; in the order of turns. */
  private final Map<String, Long> since = new LinkedHashMap<>();

  private final Deque<Change> changes = new ArrayDeque<>();
  private long dropped;

  boolean has(String uid) {
    return since.containsKey(uid);
  }

  void begin(String uid) {
    since.put(uid, dropped + changes.size());
  }

  void happened(Change change) {
    if (!since.isEmpty()) {
      changes.add(change);
    }
  }

  /** What has happened since the pod's turn began, in order. */
  List<Change> changesFor(String uid) {
    List<Change> seen = new ArrayList<>();
    long begin = since.get(uid);
    long position = dropped;
    for (Change change : changes) {
      if (position++ >= begin) {
        seen.add(change);
      }
    }
    return seen;
  }

  void end(String uid) {
    if (since.remove(uid) == null) {
      return;
    }
    Iterator<Long> first = since.values().iterator();
    long needed = first.hasNext() ? first.next() : dropped + changes.size();
    for (; dropped < needed; dropped++) {
      changes.remove();
    }
  }

  List<String> uids() {
    return List.copyOf(since.keySet());
  }
}
