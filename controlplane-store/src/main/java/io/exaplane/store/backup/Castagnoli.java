// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

/**
 * CRC-32C that goes on where another one ended, as the frames of an etcd's log have it: each
 * frame's sum is of all data before, too. {@link java.util.zip.CRC32C} always begins anew. For one
 * thread.
 */
final class Castagnoli {
  private static final int POLYNOMIAL = 0x82f63b78;
  private static final int[] TABLE = table();
  private int sum;

  private static int[] table() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      int rest = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        rest = (rest & 1) == 0 ? rest >>> 1 : rest >>> 1 ^ POLYNOMIAL;
      }
      table[i] = rest;
    }
    return table;
  }

  /** Goes on from a sum. */
  void set(int other) {
    sum = other;
  }

  /** The sum of everything so far. */
  int sum() {
    return sum;
  }

  void update(byte[] bytes, int offset, int length) {
    int rest = ~sum;
    for (int i = offset; i < offset + length; i++) {
      rest = TABLE[(rest ^ bytes[i]) & 0xff] ^ rest >>> Byte.SIZE;
    }
    sum = ~rest;
  }
}
