// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Estimates what a JSON value takes decoded, as a kube-apiserver keeps a custom resource: Go's maps
 * from strings to anything, lists of anything, strings and numbers. It is not the bytes that count
 * but how they are cut up: a map with one entry takes as much as one with eight. One pass, which
 * allocates nothing; text in quotes is skipped eight bytes at a time. Text that is no JSON has some
 * value, too. For one thread.
 */
final class JsonLoad {
  // Of Go 1.24 and later, where a map is a Swiss table. Measured, see DESIGN.md.
  private static final int EMPTY_MAP_BYTES = 48;
  private static final int SMALL_MAP_BYTES = 336;
  private static final int SMALL_MAP_ENTRIES = 8;
  private static final int TABLE_BYTES = 96;
  private static final int MAP_SLOT_BYTES = 34;

  /** A larger map is several tables, each of them between half and wholly full. */
  private static final int ONE_TABLE_ENTRIES = 896;

  private static final int SPLIT_ENTRY_BYTES = 56;
  private static final int LIST_BYTES = 24;

  /** A list that is read item by item grows by doubling, and is three quarters full then. */
  private static final int LIST_ITEM_BYTES = 20;

  /** Of a value that is text: where its bytes are, and how many. */
  private static final int TEXT_BYTES = 16;

  /** No text takes more for each of its bytes, be it JSON or not. */
  static final int MOST_PER_BYTE = SMALL_MAP_BYTES + 4;

  private static final int MOST_DEPTH = 10_000;
  private static final int USUAL_DEPTH = 64;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** By depth: entries of the map that is open there, or items of the list, below zero. */
  private int[] open = new int[USUAL_DEPTH];

  private int depth;

  /** Maps and lists that are open beyond the depth that is noted. */
  private int skipped;

  private long load;

  /** Whether a value is JSON, as kube-apiserver stores custom resources. */
  static boolean isJson(byte[] value, int offset, int length) {
    return length > 0 && value[offset] == '{';
  }

  /** Bytes that the value takes decoded; at least 1. */
  int of(byte[] value, int offset, int length) {
    // Text, cut into sizes in which Go's memory comes.
    load = length + length / 8L;
    depth = 0;
    skipped = 0;
    int end = offset + length;
    int at = offset;
    int texts = 0;
    int names = 0;
    while (at < end) {
      switch (value[at++]) {
        case '"' -> {
          at = endOfText(value, at, end);
          texts++;
        }
        case '{' -> begin(0);
        case '[' -> begin(-1);
        case ':' -> {
          names++;
          open[depth] += open[depth] >= 0 ? 1 : 0;
        }
        case ',' -> open[depth] -= open[depth] < 0 ? 1 : 0;
        case '}', ']' -> end();
        default -> {} // of a number, a word or a blank
      }
    }
    skipped = 0;
    while (depth > 0) {
      end();
    }
    load += (long) TEXT_BYTES * Math.max(0, texts - names);
    return Math.clamp(load, 1, Integer.MAX_VALUE);
  }

  private void begin(int count) {
    if (depth == MOST_DEPTH) {
      skipped++;
      load += SMALL_MAP_BYTES; // no kube-apiserver reads what is deeper
      return;
    }
    depth++;
    if (depth == open.length) {
      open = Arrays.copyOf(open, 2 * depth);
    }
    open[depth] = count;
  }

  private void end() {
    if (skipped > 0) {
      skipped--;
    } else if (depth > 0) {
      int count = open[depth--];
      load += count >= 0 ? mapBytes(count) : LIST_BYTES - (long) count * LIST_ITEM_BYTES;
    }
  }

  /** Bytes of a map with so many entries, without what they hold. */
  static long mapBytes(int entries) {
    if (entries <= SMALL_MAP_ENTRIES) {
      return entries == 0 ? EMPTY_MAP_BYTES : SMALL_MAP_BYTES;
    }
    if (entries > ONE_TABLE_ENTRIES) {
      return (long) entries * SPLIT_ENTRY_BYTES;
    }
    // At most seven eighths of the slots are taken, and their number is a power of two.
    int slots = Integer.highestOneBit((entries * 8 - 1) / 7) << 1;
    return TABLE_BYTES + (long) slots * MAP_SLOT_BYTES;
  }

  /** Position behind the quotes that end a text; the end if nothing ends it. */
  private static int endOfText(byte[] value, int from, int end) {
    int at = from;
    while (at < end) {
      if (at + Long.BYTES <= end) {
        long eight = (long) LONG.get(value, at);
        long found = zeroes(eight ^ QUOTES) | zeroes(eight ^ BACKSLASHES);
        if (found == 0) {
          at += Long.BYTES;
          continue;
        }
        at += Long.numberOfTrailingZeros(found) >>> 3;
      }
      byte next = value[at];
      if (next == '"') {
        return at + 1;
      }
      at += next == '\\' ? 2 : 1;
    }
    return end;
  }

  /** The high bit of the lowest byte that is zero; others above it may have theirs, too. */
  private static long zeroes(long word) {
    return word - ONES & ~word & HIGH;
  }
}
