// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Layout of a record: one version of one key.
 *
 * <pre>
 *   0  int   bytes of the encoded KeyValue
 *   4  int   slot of the key
 *   8  long  mod revision
 *  16  int   position among the changes of that revision
 *  20  int   bytes of the key; the highest bit marks a tombstone
 *  24  long  address of the version before, 0 if there is none
 *  32  the encoded mvccpb.KeyValue, which starts with the key
 * </pre>
 *
 * A tombstone's KeyValue has key and mod revision only, as a DELETE event shows it. Records are
 * aligned to 8 bytes. All but {@link #previous} is written once, before the record can be reached.
 */
public final class Records {
  public static final int HEADER_BYTES = 32;
  public static final int ALIGNMENT = 8;

  private static final int TOMBSTONE = 1 << 31;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final VarHandle ATOMIC_LONG = LONG.varHandle();

  private Records() {}

  static void writeHeader(
      MemorySegment memory,
      long record,
      int keyValueBytes,
      int slot,
      long modRevision,
      int sub,
      int keyBytes,
      boolean tombstone,
      long previous) {
    memory.set(INT, record, keyValueBytes);
    memory.set(INT, record + 4, slot);
    memory.set(LONG, record + 8, modRevision);
    memory.set(INT, record + 16, sub);
    memory.set(INT, record + 20, tombstone ? keyBytes | TOMBSTONE : keyBytes);
    memory.set(LONG, record + 24, previous);
  }

  /** Bytes that a record takes, header and padding included. */
  public static int sizeOf(int keyValueBytes) {
    return (HEADER_BYTES + keyValueBytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  public static int size(MemorySegment memory, long record) {
    return sizeOf(keyValueBytes(memory, record));
  }

  public static int keyValueBytes(MemorySegment memory, long record) {
    return memory.get(INT, record);
  }

  /** Address of the encoded KeyValue. */
  public static long keyValue(long record) {
    return record + HEADER_BYTES;
  }

  public static int slot(MemorySegment memory, long record) {
    return memory.get(INT, record + 4);
  }

  public static long modRevision(MemorySegment memory, long record) {
    return memory.get(LONG, record + 8);
  }

  /** Position among the changes of the record's revision, from 0. */
  public static int sub(MemorySegment memory, long record) {
    return memory.get(INT, record + 16);
  }

  public static boolean isTombstone(MemorySegment memory, long record) {
    return memory.get(INT, record + 20) < 0;
  }

  public static int keyBytes(MemorySegment memory, long record) {
    return memory.get(INT, record + 20) & ~TOMBSTONE;
  }

  /** Address of the key's bytes. */
  public static long key(MemorySegment memory, long record) {
    return record + HEADER_BYTES + 1 + Varint.length(keyBytes(memory, record));
  }

  /** Address of the version before this one; 0 if there was none or nobody may ask any more. */
  public static long previous(MemorySegment memory, long record) {
    return (long) ATOMIC_LONG.getAcquire(memory, record + 24);
  }

  static void previous(MemorySegment memory, long record, long previous) {
    ATOMIC_LONG.setRelease(memory, record + 24, previous);
  }

  /** Compares a record's key with another, bytes taken as unsigned. */
  public static int compareKey(
      MemorySegment memory, long record, byte[] key, int offset, int length) {
    int keyBytes = keyBytes(memory, record);
    long at = record + HEADER_BYTES + 1 + Varint.length(keyBytes);
    int common = Math.min(keyBytes, length);
    int i = 0;
    for (; i + 8 <= common; i += 8) {
      long mine = memory.get(BIG_ENDIAN, at + i);
      long other = Bytes.getLongBigEndian(key, offset + i);
      if (mine != other) {
        return Long.compareUnsigned(mine, other);
      }
    }
    for (; i < common; i++) {
      int difference =
          (memory.get(ValueLayout.JAVA_BYTE, at + i) & 0xff) - (key[offset + i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return keyBytes - length;
  }

  /** Compares the keys of two records. */
  public static int compareKeys(MemorySegment memory, long a, long b) {
    byte[] key = copyKey(memory, b);
    return compareKey(memory, a, key, 0, key.length);
  }

  /** Whether a record's key equals another. */
  public static boolean hasKey(
      MemorySegment memory, long record, byte[] key, int offset, int length) {
    return keyBytes(memory, record) == length
        && compareKey(memory, record, key, offset, length) == 0;
  }

  /** A copy of the record's key. */
  public static byte[] copyKey(MemorySegment memory, long record) {
    byte[] key = new byte[keyBytes(memory, record)];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, key(memory, record), key, 0, key.length);
    return key;
  }
}
