// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and hashes bytes eight at a time. */
public final class Bytes {
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long PRIME_1 = 0x9E3779B97F4A7C15L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;

  private Bytes() {}

  static long getLongBigEndian(byte[] array, int offset) {
    return (long) BIG_ENDIAN.get(array, offset);
  }

  /** A well mixed hash; folds each 8 bytes in by a 128-bit product. */
  public static long hash(byte[] array, int offset, int length, long seed) {
    long hash = seed ^ (length * PRIME_1);
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      hash = fold(hash ^ (long) LITTLE_ENDIAN.get(array, offset + i), PRIME_1);
    }
    long tail = 0;
    for (; i < length; i++) {
      tail = tail << 8 | (array[offset + i] & 0xff);
    }
    return fold(hash ^ tail, PRIME_2);
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
