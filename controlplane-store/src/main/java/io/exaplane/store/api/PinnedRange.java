// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.execute.RangeOrder;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.wire.GrpcStream;
import java.lang.foreign.MemorySegment;

/** A range in the order of its keys, with what its filters let pass. */
final class PinnedRange extends PinnedRead {
  private final KeyRange whole;
  private final long most;

  /** Of the request no more than its filters. */
  private final RangeRequest filters;

  private KeyRange range;
  private long left;

  /**
   * Pins the revision. Within the epoch in which it was resolved.
   *
   * @param most keys that are wanted
   */
  PinnedRange(
      Lane lane,
      RevisionPins pins,
      GrpcStream stream,
      RangeRequest request,
      long most,
      long revision,
      Runnable onStalled) {
    super(lane, pins, stream, request.keysOnly, revision, onStalled);
    this.whole = request.range();
    this.most = most;
    this.filters = request.hasRevisionFilter() ? request.filters() : null;
    rewind();
  }

  /** Keys that a request wants in the order of keys. */
  static long most(RangeRequest request) {
    return request.countOnly ? 0 : request.limit > 0 ? request.limit : Long.MAX_VALUE;
  }

  @Override
  void rewind() {
    range = whole;
    left = most;
  }

  @Override
  boolean read(int mostKeys, long mostBytes) {
    if (range.isEmpty() || most == 0) {
      return true;
    }
    MemorySegment memory = lane.keyspace.memory();
    RangeReader reader = lane.rangeReader;
    reader.open(lane.keyspace.view(), range, revision);
    try {
      long bytes = 0;
      int looked = 0;
      for (long record = reader.next(); record != 0; record = reader.next()) {
        if (left == 0 && filters == null) {
          piece.more = true;
          return true;
        }
        if (looked == mostKeys || bytes >= mostBytes) {
          resumeAt(Records.copyKey(memory, record));
          return false;
        }
        looked++;
        if (filters == null || RangeOrder.passes(memory, filters, record)) {
          if (left == 0) {
            piece.more = true;
            return true;
          }
          piece.records.addLong(record);
          bytes += Records.keyValueBytes(memory, record);
          left--;
        }
      }
      return true;
    } finally {
      reader.close();
    }
  }

  @Override
  boolean takesMemory() {
    return false;
  }

  private void resumeAt(byte[] key) {
    range = KeyRange.of(key, range.end() == null ? new byte[1] : range.end());
  }
}
