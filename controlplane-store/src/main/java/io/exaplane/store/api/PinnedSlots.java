// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.execute.RangeOrder;
import io.exaplane.store.core.execute.StepwiseSort;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.wire.GrpcStream;
import java.lang.foreign.MemorySegment;
import org.agrona.collections.LongArrayList;

/**
 * Keys in any order, known by their slots: versions move in memory while the read goes on, a slot
 * stays its key's. They are collected, put in order and then read, each in as many steps as it
 * takes.
 */
final class PinnedSlots extends PinnedRead {
  /** Heap of a key: the list when it has just grown, then the sort. */
  static final int BYTES_PER_KEY = 3 * Long.BYTES + StepwiseSort.BYTES_PER_ITEM;

  private final StepwiseSort.Order order;
  private final MemorySegment memory;
  private final long limit;

  /** What is collected is in the order of keys, so that the other way round needs no sort. */
  private final boolean isReversed;

  private LongArrayList collected = new LongArrayList();
  private StepwiseSort sort;
  private long[] slots;
  private int size;
  private int at;

  /** Pins the revision. Within the epoch in which it was resolved. */
  PinnedSlots(
      Lane lane,
      RevisionPins pins,
      GrpcStream stream,
      RangeRequest request,
      long revision,
      Runnable onStalled) {
    super(lane, pins, stream, request.keysOnly, revision, onStalled);
    this.memory = lane.keyspace.memory();
    this.limit = request.limit > 0 ? request.limit : Long.MAX_VALUE;
    this.isReversed = request.sortTarget == RangeRequest.TARGET_KEY;
    StepwiseSort.Order records = RangeOrder.of(memory, request);
    this.order = (a, b) -> records.compare(record(a), record(b));
  }

  private long record(long slot) {
    return lane.rangeReader.versionOfSlot((int) slot, revision);
  }

  /** Collects records of the revision. Within the epoch. */
  void collect(LongArrayList records) {
    for (int i = 0; i < records.size(); i++) {
      collected.addLong(Records.slot(memory, records.getLong(i)));
    }
  }

  /**
   * All are collected: they are put in order next.
   *
   * @param sorted whether they are in order already
   */
  void collected(boolean sorted) {
    long[] all = collected.toLongArray();
    collected = null;
    if (sorted) {
      inOrder(all);
    } else if (isReversed) {
      inOrder(reversed(all));
    } else {
      sort = new StepwiseSort(all, order);
    }
  }

  private static long[] reversed(long[] all) {
    for (int i = 0, j = all.length - 1; i < j; i++, j--) {
      long first = all[i];
      all[i] = all[j];
      all[j] = first;
    }
    return all;
  }

  private void inOrder(long[] all) {
    slots = all;
    size = (int) Math.min(limit, all.length);
    sort = null;
  }

  /** Whether {@link #readPiece} may be called. */
  boolean isInOrder() {
    return slots != null;
  }

  /** Goes on to put them in order. Within the epoch. */
  void putInOrder(int comparisons) {
    if (sort.goOn(comparisons)) {
      inOrder(sort.items());
    }
  }

  /** Whether there are more than the limit lets pass. */
  boolean hasMore() {
    return slots.length > size;
  }

  @Override
  boolean takesMemory() {
    return true;
  }

  @Override
  void rewind() {
    at = 0;
  }

  @Override
  boolean read(int mostKeys, long mostBytes) {
    long bytes = 0;
    while (at < size && piece.records.size() < mostKeys && bytes < mostBytes) {
      long record = record(slots[at++]);
      piece.records.addLong(record);
      bytes += Records.keyValueBytes(memory, record);
    }
    return at == size;
  }
}
