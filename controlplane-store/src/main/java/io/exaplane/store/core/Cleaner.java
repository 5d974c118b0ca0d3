// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
 * revision, or where the history of keys with a window of their own starts, or the oldest revision
 * that a long read still uses. So at the floor itself events still have the version before, and a
 * watch may start there.
 */
public final class Cleaner {
  /**
   * A segment is emptied when less than this share of it lives: the store takes at most 1/0.7 of
   * what it holds, and what large values leave empty at the end of segments that were moved into;
   * and freeing a byte costs at most 2.3 moved ones.
   */
  private static final double SPARSE = 0.7;

  private static final int NONE = -1;

  /** What was asked to be let go. */
  private record Floors(long compactedRevision, HistoryStarts starts) {
    long of(int window) {
      return Math.max(compactedRevision, starts.of(window));
    }
  }

  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final RecordLog records;
  private final HistoryPass[] passes;
  private final long[] floors;
  private Floors announced;
  private Floors shownToAll;
  private long shownFrom;
  private int emptying = NONE;
  private long nextRecord;

  Cleaner(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory;
    this.records = keyspace.records;
    this.passes = new HistoryPass[keyspace.space().classes().windows()];
    this.floors = new long[passes.length];
    Arrays.setAll(passes, window -> new HistoryPass(keyspace, window));
    Arrays.fill(floors, Long.MIN_VALUE);
    this.announced = new Floors(Long.MIN_VALUE, keyspace.historyStarts());
    this.shownToAll = announced;
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
    announceFloors();
    keyspace.reclaimer.reclaim();
    raiseFloors(oldestRead.getAsLong());
    int left = countDead(steps);
    records.releaseEmpty();
    left = emptySparse(left);
    keyspace.reclaimer.reclaim();
    return left == 0;
  }

  /** Whether no reader holds up the freeing of what is older than a revision. */
  public boolean mayFreeBelow(long revision) {
    return Arrays.stream(floors).allMatch(floor -> floor >= revision);
  }

  /** Whether all is counted dead that was compacted, so that what is kept is known. */
  public boolean hasLetGo() {
    long compacted = keyspace.compactedRevision();
    return mayFreeBelow(compacted) && passes[KeyClasses.NO_WINDOW].hasPassed(compacted);
  }

  /** A reader may have begun below a new floor; nothing is touched before it has left. */
  private void announceFloors() {
    View view = keyspace.view();
    if (view.compactedRevision() > announced.compactedRevision
        || view.starts() != announced.starts) {
      Floors shown = new Floors(view.compactedRevision(), view.starts());
      announced = shown;
      keyspace.reclaimer.afterReaders(() -> shownToAll = shown);
    }
  }

  /** They never go back: what is below them was counted dead. */
  private void raiseFloors(long oldestRead) {
    for (int window = 0; window < floors.length; window++) {
      floors[window] = Math.max(floors[window], Math.min(shownToAll.of(window), oldestRead));
    }
  }

  private int countDead(int steps) {
    IntArrayList forgotten = new IntArrayList();
    HistoryPass all = passes[KeyClasses.NO_WINDOW];
    int left = steps;
    // That over all comes last: after a compaction it is long, and memory waits for the others.
    for (int window = passes.length - 1; window >= 0; window--) {
      passes[window].skipTo(all);
      left = passes[window].walk(left, floors[window], forgotten);
    }
    if (all.nextEvent() > shownFrom || !forgotten.isEmpty()) {
      shownFrom = all.nextEvent();
      release(shownFrom, all.nextLife(), forgotten);
    }
    return left;
  }

  /** Who reads from now on sees neither the events nor the keys; when the others left, they go. */
  private void release(long event, long life, IntArrayList forgotten) {
    keyspace.startHistoryAt(event, life);
    keyspace.publish();
    keyspace.reclaimer.afterReaders(
        () -> {
          keyspace.events.dropBefore(event);
          keyspace.lives.dropBefore(life);
          forgotten.forEachInt(keyspace.slots::release);
        });
  }

  private int emptySparse(int steps) {
    int left = steps;
    while (left > 0) {
      if (emptying == NONE) {
        emptying = records.takeSparsest(SPARSE, floors);
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
    long floor = floors[records.group(emptying)];
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
