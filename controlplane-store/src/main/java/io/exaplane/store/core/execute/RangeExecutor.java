// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.result.RangeResult;
import java.lang.foreign.MemorySegment;
import org.agrona.collections.LongArrayList;

/**
 * Carries out Range requests. For one thread, which must be inside the keyspace's epoch (or be the
 * writer) while it uses the result.
 */
public final class RangeExecutor {
  private final MemorySegment memory;
  private final RangeReader reader;

  public RangeExecutor(Keyspace keyspace) {
    this.memory = keyspace.memory();
    this.reader = new RangeReader(keyspace);
  }

  /**
   * Reads what a request asks for.
   *
   * @throws StoreException if the revision was compacted or is not there yet
   */
  public void execute(View view, RangeRequest request, RangeResult result) {
    result.clear();
    result.revision = view.revision();
    result.keysOnly = request.keysOnly;
    long revision = RangeReader.resolve(view, request);
    if (request.rangeEnd.isEmpty()) {
      single(request, revision, result);
    } else {
      many(view, request, revision, result);
    }
  }

  /** The request that every read and every update starts with; it copies no key. */
  private void single(RangeRequest request, long revision, RangeResult result) {
    long record =
        reader.find(request.key.array(), request.key.offset(), request.key.length(), revision);
    if (record != 0) {
      result.count = 1;
      if (!request.countOnly && RangeOrder.passes(memory, request, record)) {
        result.records.addLong(record);
      }
    }
  }

  private void many(View view, RangeRequest request, long revision, RangeResult result) {
    KeyRange range = request.range();
    result.count = reader.count(view, range, revision);
    if (request.countOnly || range.isEmpty()) {
      return;
    }
    long most = RangeOrder.most(request);
    reader.open(view, range, revision);
    for (long record = reader.next(); record != 0; record = reader.next()) {
      if (RangeOrder.passes(memory, request, record)) {
        result.records.addLong(record);
        if (result.records.size() >= most) {
          break;
        }
      }
    }
    reader.close();
    sort(request, result);
    if (request.limit > 0 && result.records.size() > request.limit) {
      truncate(result.records, (int) request.limit);
      result.more = true;
    }
  }

  private static void truncate(LongArrayList records, int size) {
    while (records.size() > size) {
      records.removeAt(records.size() - 1);
    }
  }

  /** Brings what was found into the order that is asked for. */
  public void sort(RangeRequest request, RangeResult result) {
    if (request.isInOrderOfKeys()) {
      return;
    }
    LongArrayList records = result.records;
    long[] sorted = StepwiseSort.sort(records.toLongArray(), RangeOrder.of(memory, request));
    records.clear();
    for (long record : sorted) {
      records.addLong(record);
    }
  }
}
