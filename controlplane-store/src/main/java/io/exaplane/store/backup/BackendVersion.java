// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A version as etcd's backend has it (server/storage/mvcc/revision.go): under its revision, the
 * encoded KeyValue, of a tombstone the key alone.
 */
final class BackendVersion {
  static final int KEY_BYTES = 17;
  static final byte SEPARATOR = '_';
  static final byte TOMBSTONE = 't';

  private BackendVersion() {}

  /** The backend's key. */
  static byte[] key(MemorySegment memory, long record) {
    boolean tombstone = Records.isTombstone(memory, record);
    byte[] key = revision(Records.modRevision(memory, record), tombstone ? 1 : 0);
    ByteBuffer.wrap(key).putLong(9, Records.sub(memory, record));
    if (tombstone) {
      key[KEY_BYTES] = TOMBSTONE;
    }
    return key;
  }

  /** A revision in the backend's form. */
  static byte[] revision(long revision) {
    return revision(revision, 0);
  }

  private static byte[] revision(long revision, int more) {
    return ByteBuffer.allocate(KEY_BYTES + more).putLong(revision).put(SEPARATOR).array();
  }

  /** Bytes of the backend's value, which begins where the record's KeyValue begins. */
  static int valueBytes(MemorySegment memory, long record) {
    return Records.isTombstone(memory, record)
        ? (int) (Records.key(memory, record) - Records.keyValue(record))
            + Records.keyBytes(memory, record)
        : Records.keyValueBytes(memory, record);
  }

  /** The backend's value. */
  static ByteBuffer value(MemorySegment memory, long record) {
    return memory.asSlice(Records.keyValue(record), valueBytes(memory, record)).asByteBuffer();
  }
}
