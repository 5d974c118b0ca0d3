// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The encoding of {@code mvccpb.KeyValue} in a record, byte for byte what etcd's marshaller writes:
 * fields in order, zeroes left out.
 */
public final class KeyValues {
  private static final byte KEY = 0x0a;
  private static final byte CREATE_REVISION = 0x10;
  private static final byte MOD_REVISION = 0x18;
  private static final byte VERSION = 0x20;
  private static final byte VALUE = 0x2a;
  private static final byte LEASE = 0x30;

  private KeyValues() {}

  static int encodedLength(
      int keyBytes,
      long createRevision,
      long modRevision,
      long version,
      int valueBytes,
      long lease) {
    int length = 1 + Varint.length(keyBytes) + keyBytes;
    length += createRevision == 0 ? 0 : 1 + Varint.length(createRevision);
    length += modRevision == 0 ? 0 : 1 + Varint.length(modRevision);
    length += version == 0 ? 0 : 1 + Varint.length(version);
    length += valueBytes == 0 ? 0 : 1 + Varint.length(valueBytes) + valueBytes;
    length += lease == 0 ? 0 : 1 + Varint.length(lease);
    return length;
  }

  /** Bytes of what a client wrote: all but the revisions and the version. */
  public static int contentBytes(int keyBytes, int valueBytes, long lease) {
    return encodedLength(keyBytes, 0, 0, 0, valueBytes, lease);
  }

  static void encode(
      MemorySegment memory,
      long keyValue,
      byte[] key,
      int keyOffset,
      int keyBytes,
      long createRevision,
      long modRevision,
      long version,
      byte[] value,
      int valueOffset,
      int valueBytes,
      long lease) {
    long at = bytes(memory, keyValue, KEY, key, keyOffset, keyBytes);
    at = number(memory, at, CREATE_REVISION, createRevision);
    at = number(memory, at, MOD_REVISION, modRevision);
    at = number(memory, at, VERSION, version);
    if (valueBytes != 0) {
      at = bytes(memory, at, VALUE, value, valueOffset, valueBytes);
    }
    number(memory, at, LEASE, lease);
  }

  private static long bytes(
      MemorySegment memory, long at, byte tag, byte[] bytes, int offset, int length) {
    memory.set(ValueLayout.JAVA_BYTE, at, tag);
    long start = Varint.write(memory, at + 1, length);
    MemorySegment.copy(bytes, offset, memory, ValueLayout.JAVA_BYTE, start, length);
    return start + length;
  }

  private static long number(MemorySegment memory, long at, byte tag, long number) {
    if (number == 0) {
      return at;
    }
    memory.set(ValueLayout.JAVA_BYTE, at, tag);
    return Varint.write(memory, at + 1, number);
  }

  public static long createRevision(MemorySegment memory, long record) {
    return field(memory, record, CREATE_REVISION);
  }

  public static long version(MemorySegment memory, long record) {
    return field(memory, record, VERSION);
  }

  public static long lease(MemorySegment memory, long record) {
    return field(memory, record, LEASE);
  }

  /** Bytes of the value. */
  public static int valueBytes(MemorySegment memory, long record) {
    return (int) field(memory, record, VALUE);
  }

  /** Bytes of the value's whole field; 0 without one. */
  public static int valueFieldBytes(MemorySegment memory, long record) {
    int bytes = valueBytes(memory, record);
    return bytes == 0 ? 0 : 1 + Varint.length(bytes) + bytes;
  }

  /** Address of the value's whole field, from its tag on; 0 without one. */
  public static long valueField(MemorySegment memory, long record) {
    long at = find(memory, record, VALUE);
    return at == 0 ? 0 : at - 1;
  }

  /** Address of the value's bytes; meaningful when there are any. */
  public static long value(MemorySegment memory, long record) {
    long at = find(memory, record, VALUE);
    return at == 0 ? 0 : at + Varint.length(Varint.read(memory, at));
  }

  /** A copy of the value. */
  public static byte[] copyValue(MemorySegment memory, long record) {
    byte[] value = new byte[valueBytes(memory, record)];
    MemorySegment.copy(
        memory, ValueLayout.JAVA_BYTE, value(memory, record), value, 0, value.length);
    return value;
  }

  /** Compares the values of two records, bytes taken as unsigned. Copies nothing. */
  public static int compareValues(MemorySegment memory, long a, long b) {
    return compareValue(memory, a, memory, value(memory, b), valueBytes(memory, b));
  }

  /** Compares a record's value with other bytes, all taken as unsigned. Copies nothing. */
  public static int compareValue(
      MemorySegment memory, long record, byte[] other, int offset, int length) {
    return compareValue(memory, record, MemorySegment.ofArray(other), offset, length);
  }

  private static int compareValue(
      MemorySegment memory, long record, MemorySegment other, long from, long length) {
    long at = value(memory, record);
    long bytes = valueBytes(memory, record);
    long differs = MemorySegment.mismatch(memory, at, at + bytes, other, from, from + length);
    if (differs < 0 || differs == Math.min(bytes, length)) {
      return Long.compare(bytes, length);
    }
    return Byte.compareUnsigned(
        memory.get(ValueLayout.JAVA_BYTE, at + differs),
        other.get(ValueLayout.JAVA_BYTE, from + differs));
  }

  /** A number's value, or the length of the value's bytes; 0 when the field was left out. */
  private static long field(MemorySegment memory, long record, byte tag) {
    long at = find(memory, record, tag);
    return at == 0 ? 0 : Varint.read(memory, at);
  }

  /** Address behind the field's tag, 0 when the field was left out. Fields are in order of tags. */
  private static long find(MemorySegment memory, long record, byte tag) {
    long end = Records.keyValue(record) + Records.keyValueBytes(memory, record);
    long at = Records.key(memory, record) + Records.keyBytes(memory, record);
    while (at < end) {
      byte found = memory.get(ValueLayout.JAVA_BYTE, at);
      if (found >= tag) {
        return found == tag ? at + 1 : 0;
      }
      long number = Varint.read(memory, at + 1);
      at += 1 + Varint.length(number) + (found == VALUE ? number : 0);
    }
    return 0;
  }
}
