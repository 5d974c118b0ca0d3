// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the watchers whose range has a key. Watchers of the same range form a group; groups are in
 * the order of their first keys, each with the largest end of all up to it, so that a look goes
 * back only as far as a range can reach. Used by one thread.
 */
final class WatcherIndex {
  private static final class Group {
    final byte[] start;
    final byte[] end; // null: open
    final List<Watcher> watchers = new ArrayList<>();
    byte[] furthestEnd; // of this group and those before; null: open

    Group(KeyRange range) {
      start = range.start();
      end = range.end();
    }

    boolean is(KeyRange range) {
      return Arrays.equals(start, range.start()) && Arrays.equals(end, range.end());
    }
  }

  private final MemorySegment memory;
  private final List<Group> groups = new ArrayList<>();

  WatcherIndex(MemorySegment memory) {
    this.memory = memory;
  }

  void add(Watcher watcher) {
    int at = 0;
    while (at < groups.size()
        && Arrays.compareUnsigned(groups.get(at).start, watcher.range.start()) < 0) {
      at++;
    }
    int same = at;
    while (same < groups.size() && Arrays.equals(groups.get(same).start, watcher.range.start())) {
      if (groups.get(same).is(watcher.range)) {
        groups.get(same).watchers.add(watcher);
        return;
      }
      same++;
    }
    Group group = new Group(watcher.range);
    group.watchers.add(watcher);
    groups.add(at, group);
    measureFrom(at);
  }

  void remove(Watcher watcher) {
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      if (group.is(watcher.range)) {
        group.watchers.remove(watcher);
        if (group.watchers.isEmpty()) {
          groups.remove(i);
          measureFrom(i);
        }
        return;
      }
    }
  }

  private void measureFrom(int from) {
    for (int i = from; i < groups.size(); i++) {
      Group group = groups.get(i);
      byte[] before = i == 0 ? group.end : groups.get(i - 1).furthestEnd;
      group.furthestEnd =
          before == null || group.end == null
              ? null
              : Arrays.compareUnsigned(before, group.end) > 0 ? before : group.end;
    }
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Hands over every watcher whose range has the record's key. */
  void forEachOf(long record, Consumer<Watcher> consumer) {
    for (int i = lastNotAbove(record); i >= 0; i--) {
      Group group = groups.get(i);
      if (!isBelow(record, group.furthestEnd)) {
        return;
      }
      if (isBelow(record, group.end)) {
        List<Watcher> watchers = group.watchers;
        for (int w = 0; w < watchers.size(); w++) {
          consumer.accept(watchers.get(w));
        }
      }
    }
  }

  private int lastNotAbove(long record) {
    int low = 0;
    int high = groups.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] start = groups.get(middle).start;
      if (Records.compareKey(memory, record, start, 0, start.length) >= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private boolean isBelow(long record, byte[] end) {
    return end == null || Records.compareKey(memory, record, end, 0, end.length) < 0;
  }
}
