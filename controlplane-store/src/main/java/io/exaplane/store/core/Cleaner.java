// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.agrona.collections.IntArrayList;

/**
 * Frees what compaction put out of use, a little at a time so that no write waits for it: first it
 * goes over the events that became old and counts dead what they replaced, then it empties sparse
 * segments by moving what still lives. Called by the writer between its batches, when all that was
 * applied is published.
 *
 * <p>Rules. A version is dead when the one that replaced it is older than the floor; a tombstone
 * that nothing replaced is dead when it is older than the floor. The floor is the compacted
 * revision or the oldest revision that a long read still uses. So at the floor itself events still
 * have the version before, and a watch may start there.
 */
public final class Cleaner {
  /**
   * A segment is emptied when less than this share of it lives: the store takes at most 1/0.7 of
   * what it holds, and freeing a byte costs at most 2.3 moved ones.
   */
  private static final double SPARSE = 0.7;

  private static final int NONE = -1;

  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final RecordLog records;
  private long floor = Long.MIN_VALUE;
  private long announcedFloor = Long.MIN_VALUE;
  private long compactedForAll = Long.MIN_VALUE;
  private long nextEvent;
  private long nextLife;
  private int emptying = NONE;
  private long nextRecord;

  public Cleaner(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory;
    this.records = keyspace.records;
  }

  /**
   * Does some work.
   *
   * @param steps how many events or records to look at
   * @param oldestRead the oldest revision that a long read uses, {@link Long#MAX_VALUE} if none; a
   *     long read must say so before it leaves the epoch in which it began
   * @return whether there is more to do now
   */
  public boolean clean(int steps, LongSupplier oldestRead) {
    announceFloor();
    keyspace.reclaimer.reclaim();
    // It never goes back: what is below it was counted dead.
    floor = Math.max(floor, Math.min(compactedForAll, oldestRead.getAsLong()));
    int left = countDead(steps);
    left = emptySparse(left);
    records.releaseEmpty();
    keyspace.reclaimer.reclaim();
    return left == 0;
  }

  /** A reader may have begun below a new floor; nothing is touched before it has left. */
  private void announceFloor() {
    long shown = keyspace.view().compactedRevision();
    if (shown > announcedFloor) {
      announcedFloor = shown;
      keyspace.reclaimer.afterReaders(() -> compactedForAll = shown);
    }
  }

  private int countDead(int steps) {
    AddressLog events = keyspace.events;
    IntArrayList forgotten = new IntArrayList();
    int left = steps;
    while (left > 0 && nextEvent < events.length()) {
      long record = events.get(nextEvent);
      if (Records.modRevision(memory, record) >= floor) {
        break;
      }
      long before = Records.previous(memory, record);
      if (before != 0) {
        keyspace.space().dead(before);
      }
      if (Records.isTombstone(memory, record)) {
        forget(record, forgotten);
      }
      if (nextLife < keyspace.lives.length() && keyspace.lives.get(nextLife) == record) {
        nextLife++;
      }
      nextEvent++;
      left--;
    }
    if (left < steps) {
      release(forgotten);
    }
    return left;
  }

  /** Who reads from now on sees neither the events nor the keys; when the others left, they go. */
  private void release(IntArrayList forgotten) {
    long event = nextEvent;
    long life = nextLife;
    keyspace.startHistoryAt(event, life);
    keyspace.publish();
    keyspace.reclaimer.afterReaders(
        () -> {
          keyspace.events.dropBefore(event);
          keyspace.lives.dropBefore(life);
          forgotten.forEachInt(keyspace.slots::release);
        });
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

  private int emptySparse(int steps) {
    int left = steps;
    while (left > 0) {
      if (emptying == NONE) {
        emptying = records.takeSparsest(SPARSE, floor);
        if (emptying == NONE) {
          return left;
        }
        nextRecord = records.first(emptying);
      }
      while (left > 0 && nextRecord < records.end(emptying)) {
        long record = nextRecord;
        nextRecord += Records.size(memory, record);
        moveIfAlive(record);
        left--;
      }
      if (nextRecord >= records.end(emptying)) {
        records.releaseTaken(emptying);
        emptying = NONE;
      }
    }
    return left;
  }

  /**
   * A record older than the floor lives if it is its key's newest, or the newest older than the
   * floor: the first such one on the way back from the newest.
   */
  private void moveIfAlive(long record) {
    int slot = Records.slot(memory, record);
    long newer = 0;
    long version = keyspace.slots.newest(slot);
    while (version != 0 && Records.modRevision(memory, version) >= floor) {
      newer = version;
      version = Records.previous(memory, version);
    }
    boolean forgotten = newer == 0 && Records.isTombstone(memory, record);
    if (version != record || forgotten) {
      return;
    }
    long copy = records.move(record);
    if (newer == 0) {
      keyspace.slots.newest(slot, copy);
    } else {
      records.relink(newer, copy);
    }
  }
}
