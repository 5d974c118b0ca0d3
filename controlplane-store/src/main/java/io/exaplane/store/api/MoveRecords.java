// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Versions of keys as they go from one store to another: of each four bytes, big-endian, with the
 * length of its {@code mvccpb.KeyValue}, then that as it is stored. For one thread.
 */
final class MoveRecords {
  /** Bytes before each version. */
  static final int LENGTH_BYTES = Integer.BYTES;

  private static final ValueLayout.OfInt BIG_ENDIAN =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private byte[] array = new byte[4096];
  private int bytes;

  /** Bytes that a version takes. By who may look at the record, as {@link #add}. */
  static int sizeOf(MemorySegment memory, long record) {
    return LENGTH_BYTES + Records.keyValueBytes(memory, record);
  }

  /** Bytes so far. */
  int size() {
    return bytes;
  }

  /** Adds the version that a record has. */
  void add(MemorySegment memory, long record) {
    int length = Records.keyValueBytes(memory, record);
    if (array.length - bytes < LENGTH_BYTES + length) {
      array = Arrays.copyOf(array, Math.max(2 * array.length, bytes + LENGTH_BYTES + length));
    }
    MemorySegment.ofArray(array).set(BIG_ENDIAN, bytes, length);
    MemorySegment.copy(
        memory,
        ValueLayout.JAVA_BYTE,
        Records.keyValue(record),
        array,
        bytes + LENGTH_BYTES,
        length);
    bytes += LENGTH_BYTES + length;
  }

  /** Takes back all behind a size that it once had. */
  void truncate(int size) {
    bytes = size;
  }

  byte[] toArray() {
    return Arrays.copyOf(array, bytes);
  }
}
