// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Encodes protobuf from its last byte to its first, so that the length of a nested message is known
 * when it is written. What is written last comes first. Reusable; used by one thread.
 */
public final class ReverseWriter {
  private static final int INITIAL_BYTES = 4096;

  /** A larger array is let go. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;

  private byte[] array = new byte[INITIAL_BYTES];
  private int start = INITIAL_BYTES;

  /** Forgets what was written. */
  public ReverseWriter clear() {
    if (array.length > KEPT_BYTES) {
      array = new byte[INITIAL_BYTES];
    }
    start = array.length;
    return this;
  }

  /** Makes room for so many bytes at once, rather than by doubling again and again. */
  public void expect(long bytes) {
    if (bytes > start) {
      int length = length();
      if (bytes + length > MOST_BYTES) {
        throw StoreException.RESPONSE_TOO_LARGE;
      }
      byte[] larger = new byte[(int) bytes + length];
      System.arraycopy(array, start, larger, larger.length - length, length);
      array = larger;
      start = larger.length - length;
    }
  }

  /** Gives away the array with what was written, from {@link #start} as it was, and forgets it. */
  public byte[] detach() {
    byte[] written = array;
    array = new byte[INITIAL_BYTES];
    start = INITIAL_BYTES;
    return written;
  }

  public byte[] array() {
    return array;
  }

  /** What was written. */
  public byte[] copy() {
    return Arrays.copyOfRange(array, start, array.length);
  }

  /** Index of the first byte. */
  public int start() {
    return start;
  }

  /** Number of bytes written; also a mark for {@link #message}. */
  public int length() {
    return array.length - start;
  }

  private int make(int bytes) {
    if (start < bytes) {
      int length = length();
      if (MOST_BYTES - length < bytes) {
        throw StoreException.RESPONSE_TOO_LARGE;
      }
      byte[] larger =
          new byte[(int) Math.min(MOST_BYTES, Math.max(array.length * 2L, length + bytes))];
      System.arraycopy(array, start, larger, larger.length - length, length);
      array = larger;
      start = larger.length - length;
    }
    start -= bytes;
    return start;
  }

  private void varint(long value) {
    int at = make((70 - Long.numberOfLeadingZeros(value | 1)) / 7);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      array[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[at] = (byte) rest;
  }

  /** A number, unless it is 0. */
  public void number(int field, long value) {
    if (value != 0) {
      varint(value);
      varint((long) field << 3);
    }
  }

  /** A number of several, be it 0. */
  public void element(int field, long value) {
    varint(value);
    varint((long) field << 3);
  }

  /** A flag, unless it is false. */
  public void flag(int field, boolean value) {
    number(field, value ? 1 : 0);
  }

  /** A text in ASCII, unless it is empty. */
  public void text(int field, String text) {
    if (!text.isEmpty()) {
      int at = make(text.length());
      for (int i = 0; i < text.length(); i++) {
        array[at + i] = (byte) text.charAt(i);
      }
      varint(text.length());
      varint(field << 3 | 2);
    }
  }

  public void bytes(int field, byte[] bytes, int offset, int length) {
    int at = make(length); // may replace the array
    System.arraycopy(bytes, offset, array, at, length);
    varint(length);
    varint(field << 3 | 2);
  }

  /** Makes all that was written since the mark the message of a field. */
  public void message(int field, int mark) {
    varint(length() - mark);
    varint(field << 3 | 2);
  }

  /** The KeyValue of a record as a field. */
  public void keyValue(int field, MemorySegment memory, long record) {
    int length = Records.keyValueBytes(memory, record);
    copy(memory, Records.keyValue(record), length);
    varint(length);
    varint(field << 3 | 2);
  }

  /** The KeyValue of a record without its value as a field. */
  public void keyValueWithoutValue(int field, MemorySegment memory, long record) {
    int mark = length();
    long value = KeyValues.valueField(memory, record);
    long end = Records.keyValue(record) + Records.keyValueBytes(memory, record);
    if (value == 0) {
      copy(memory, Records.keyValue(record), (int) (end - Records.keyValue(record)));
    } else {
      long behind = KeyValues.value(memory, record) + KeyValues.valueBytes(memory, record);
      copy(memory, behind, (int) (end - behind));
      copy(memory, Records.keyValue(record), (int) (value - Records.keyValue(record)));
    }
    message(field, mark);
  }

  private void copy(MemorySegment memory, long address, int length) {
    int at = make(length);
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, address, array, at, length);
  }
}
