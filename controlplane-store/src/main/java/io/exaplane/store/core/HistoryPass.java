// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import org.agrona.collections.IntArrayList;

/**
 * One of the {@link Cleaner}'s walks over the events that became old: over all, or over those of
 * the keys with one history window. It counts dead what they replaced, and takes keys out of the
 * index whose newest version is an old tombstone. By the writer.
 */
final class HistoryPass {
  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final int window;
  private long nextEvent;
  private long nextLife;

  /**
   * @param window {@link KeyClasses#NO_WINDOW} for a walk over all that others left
   */
  HistoryPass(Keyspace keyspace, int window) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory;
    this.window = window;
  }

  long nextEvent() {
    return nextEvent;
  }

  long nextLife() {
    return nextLife;
  }

  /** Goes on where another one is, if that is ahead. */
  void skipTo(HistoryPass other) {
    if (other.nextEvent > nextEvent) {
      nextEvent = other.nextEvent;
      nextLife = other.nextLife;
    }
  }

  /** Whether no event is left below a revision. */
  boolean hasPassed(long revision) {
    AddressLog events = keyspace.events;
    return nextEvent >= events.length()
        || AddressLog.revision(memory, events.get(nextEvent)) >= revision;
  }

  /**
   * Looks at events below the floor.
   *
   * @param forgotten gets the slots of the keys that were taken out of the index
   * @return steps that are left
   */
  int walk(int steps, long floor, IntArrayList forgotten) {
    AddressLog events = keyspace.events;
    int left = steps;
    while (left > 0 && nextEvent < events.length()) {
      long event = events.get(nextEvent);
      if (AddressLog.revision(memory, event) >= floor) {
        break;
      }
      boolean isLife = nextLife < keyspace.lives.length() && keyspace.lives.get(nextLife) == event;
      if (!AddressLog.isForgotten(event)
          && (window == KeyClasses.NO_WINDOW
              || keyspace.space().classOf(event).window() == window)) {
        pass(event, isLife, forgotten);
      }
      nextLife += isLife ? 1 : 0;
      nextEvent++;
      left--;
    }
    return left;
  }

  private void pass(long event, boolean isLife, IntArrayList forgotten) {
    long before = Records.previous(memory, event);
    if (before != 0) {
      keyspace.space().dead(before);
    }
    if (window != KeyClasses.NO_WINDOW) {
      // Others will still walk over the event, and over the versions of its key.
      long revision = Records.modRevision(memory, event);
      keyspace.events.forget(nextEvent, revision);
      if (isLife) {
        keyspace.lives.forget(nextLife, revision);
      }
      keyspace.records.relink(event, 0);
    }
    if (Records.isTombstone(memory, event)) {
      forget(event, forgotten);
    }
  }

  /** Takes a key out of the index whose newest version is an old tombstone. */
  private void forget(long tombstone, IntArrayList forgotten) {
    int slot = Records.slot(memory, tombstone);
    if (keyspace.slots.newest(slot) != tombstone) {
      return;
    }
    byte[] key = Records.copyKey(memory, tombstone);
    keyspace.tree.remove(key);
    keyspace.table.remove(key, slot);
    keyspace.space().dead(tombstone);
    forgotten.addInt(slot);
  }
}
