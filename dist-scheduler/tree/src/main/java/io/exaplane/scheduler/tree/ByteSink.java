// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow; numbers take the fewer the smaller they are. One thread. */
final class ByteSink {
  private static final int SEVEN_BITS = 0x7f;
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[256];
  private int size;

  void flag(boolean value) {
    put(value ? 1 : 0);
  }

  void number(long value) {
    long left = (value << 1) ^ (value >> 63);
    while ((left & ~SEVEN_BITS) != 0) {
      put((int) (left & SEVEN_BITS) | ~SEVEN_BITS);
      left >>>= 7;
    }
    put((int) left);
  }

  void text(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    number(encoded.length);
    grow(encoded.length);
    System.arraycopy(encoded, 0, bytes, size, encoded.length);
    size += encoded.length;
  }

  private void put(int value) {
    grow(1);
    bytes[size++] = (byte) value;
  }

  private void grow(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  /** Eight bytes, for numbers that are by chance as large as any. */
  void eight(long value) {
    grow(Long.BYTES);
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
  }

  /** A part of an array, as it is. */
  void bytes(byte[] from, int start, int end) {
    grow(end - start);
    System.arraycopy(from, start, bytes, size, end - start);
    size += end - start;
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
