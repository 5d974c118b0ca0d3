// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.result.RangeResult;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
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
      if (!request.countOnly && passes(request, record)) {
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
    // As in etcd: any order asked for, and any filter, looks at everything first.
    boolean whole = request.sortOrder != RangeRequest.ORDER_NONE || request.hasRevisionFilter();
    boolean unlimited = request.limit <= 0 || request.limit == Long.MAX_VALUE;
    long most = whole || unlimited ? Long.MAX_VALUE : request.limit + 1;
    reader.open(view, range, revision);
    for (long record = reader.next(); record != 0; record = reader.next()) {
      if (passes(request, record)) {
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

  private boolean passes(RangeRequest request, long record) {
    if (!request.hasRevisionFilter()) {
      return true;
    }
    long mod = Records.modRevision(memory, record);
    long create = KeyValues.createRevision(memory, record);
    return mod >= request.minModRevision
        && (request.maxModRevision == 0 || mod <= request.maxModRevision)
        && create >= request.minCreateRevision
        && (request.maxCreateRevision == 0 || create <= request.maxCreateRevision);
  }

  /** Brings what was found into the order that is asked for. */
  public void sort(RangeRequest request, RangeResult result) {
    if (request.sortTarget == RangeRequest.TARGET_KEY
        && request.sortOrder != RangeRequest.ORDER_DESCEND) {
      return;
    }
    LongArrayList records = result.records;
    Comparator<Long> order =
        switch (request.sortTarget) {
          case RangeRequest.TARGET_VERSION ->
              Comparator.comparingLong(record -> KeyValues.version(memory, record));
          case RangeRequest.TARGET_CREATE ->
              Comparator.comparingLong(record -> KeyValues.createRevision(memory, record));
          case RangeRequest.TARGET_MOD ->
              Comparator.comparingLong(record -> Records.modRevision(memory, record));
          case RangeRequest.TARGET_VALUE -> this::compareValues;
          default -> (a, b) -> Records.compareKeys(memory, a, b);
        };
    Long[] boxed = records.stream().toArray(Long[]::new);
    Arrays.sort(boxed, request.sortOrder == RangeRequest.ORDER_DESCEND ? order.reversed() : order);
    records.clear();
    for (long record : boxed) {
      records.addLong(record);
    }
  }

  private int compareValues(long a, long b) {
    return Arrays.compareUnsigned(KeyValues.copyValue(memory, a), KeyValues.copyValue(memory, b));
  }
}
