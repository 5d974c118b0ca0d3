// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.result.RangeResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/**
 * How large a request's answer will be, found before the request changes anything: the state before
 * it and what it puts itself are all that its ranges can show. Used by the writer.
 */
final class AnswerSize {
  /** Headers, flags and counts of an operation's answer, with the tags and lengths around them. */
  private static final int OPERATION_BYTES = 96;

  /** Tag and length of a KeyValue. */
  private static final int FIELD_BYTES = 6;

  /** Of a version that is put: what its KeyValue has beside key and value. */
  private static final int NUMBERS_BYTES = 48;

  /** A list of addresses when it has just grown, and the one before. */
  private static final int ADDRESS_BYTES = 3 * Long.BYTES;

  /** A tombstone's revision with its fields, and what a frame of the log says of it. */
  private static final int TOMBSTONE_BYTES = 24;

  private record Put(byte[] key, long bytes) {}

  private final MemorySegment memory;
  private final Keyspace keyspace;
  private final RangeExecutor ranges;
  private final RangeResult found = new RangeResult();
  private final List<Put> puts = new ArrayList<>();
  private final AnswerRoom room;
  private long answerBytes;
  private long otherBytes;
  private long tombstoneBytes;

  AnswerSize(Keyspace keyspace, AnswerRoom room) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory();
    this.ranges = new RangeExecutor(keyspace);
    this.room = room;
  }

  void begin() {
    puts.clear();
    answerBytes = 0;
    otherBytes = 0;
    tombstoneBytes = 0;
  }

  void range(RangeRequest request) {
    ranges.execute(keyspace.working(), request, found);
    answerBytes += OPERATION_BYTES;
    for (int i = 0; i < found.records.size(); i++) {
      answerBytes += bytes(found.records.getLong(i), request.keysOnly);
    }
    otherBytes += (long) ADDRESS_BYTES * found.records.size();
    found.clear();
    if (!puts.isEmpty() && !request.countOnly) {
      KeyRange range = request.range();
      for (Put put : puts) {
        answerBytes += range.contains(put.key()) ? put.bytes() : 0;
      }
    }
    requirePossible();
  }

  /**
   * @param before the version before, 0 if there is none or nobody asks for it
   */
  void put(PutRequest request, long before) {
    answerBytes += OPERATION_BYTES + (request.prevKv && before != 0 ? bytes(before, false) : 0);
    long valueBytes =
        request.ignoreValue && before != 0
            ? KeyValues.valueBytes(memory, before)
            : request.value.length();
    puts.add(new Put(request.key.copy(), request.key.length() + valueBytes + NUMBERS_BYTES));
    requirePossible();
  }

  /** Deletions of records; what they were is shown or not. */
  void deletions(LongArrayList records, boolean shown) {
    answerBytes += OPERATION_BYTES;
    for (int i = 0; i < records.size(); i++) {
      long record = records.getLong(i);
      answerBytes += shown ? bytes(record, false) : 0;
      tombstoneBytes += Records.keyBytes(memory, record) + TOMBSTONE_BYTES;
    }
    otherBytes += shown ? (long) ADDRESS_BYTES * records.size() : 0;
    requirePossible();
  }

  /**
   * A large answer would be refused whatever else goes on: its other operations needn't be read.
   */
  private void requirePossible() {
    if (tombstoneBytes > room.mostBytes()) {
      throw StoreException.TOO_MANY_DELETIONS;
    }
    if (answerBytes + otherBytes > room.mostBytes()) {
      throw StoreException.answerTooLarge(answerBytes + otherBytes, room.mostBytes());
    }
  }

  /** Takes the memory that was found to be needed. */
  void take() {
    room.take(answerBytes, otherBytes);
  }

  private long bytes(long record, boolean keysOnly) {
    return FIELD_BYTES
        + Records.keyValueBytes(memory, record)
        - (keysOnly ? KeyValues.valueFieldBytes(memory, record) : 0);
  }
}
