// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.history;

import java.util.Arrays;

/**
 * Slots of keys, brought into the order in which their versions were written. Takes 32 bytes a slot
 * while it sorts. Used by one thread.
 */
public final class RevisionOrder {
  private static final int DIGIT_BITS = 16;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private long[] revisions = new long[1024];
  private long[] subsAndSlots = new long[1024];
  private int size;

  /** Adds the slot of a version: its revision, and its position among that revision's changes. */
  public void add(long revision, int sub, int slot) {
    if (size == revisions.length) {
      revisions = Arrays.copyOf(revisions, size * 2);
      subsAndSlots = Arrays.copyOf(subsAndSlots, size * 2);
    }
    revisions[size] = revision;
    subsAndSlots[size++] = (long) sub << 32 | slot;
  }

  /** The slots in order. Nothing may be added afterwards. */
  public int[] slots() {
    long[] spareRevisions = new long[size];
    long[] spareSubs = new long[size];
    sortBy(true, spareRevisions, spareSubs);
    sortBy(false, spareRevisions, spareSubs);
    int[] slots = new int[size];
    for (int i = 0; i < size; i++) {
      slots[i] = (int) subsAndSlots[i];
    }
    return slots;
  }

  /**
   * Sorts by one key digit by digit, the last one first; digits that are all equal are left out.
   */
  private void sortBy(boolean bySub, long[] spareRevisions, long[] spareSubs) {
    long differing = 0;
    for (int i = 1; i < size; i++) {
      differing |= key(bySub, i) ^ key(bySub, 0);
    }
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if ((differing >>> shift & (DIGITS - 1)) != 0) {
        sortByDigit(bySub, shift, spareRevisions, spareSubs);
      }
    }
  }

  private long key(boolean bySub, int index) {
    return bySub ? subsAndSlots[index] >>> 32 : revisions[index];
  }

  private void sortByDigit(boolean bySub, int shift, long[] spareRevisions, long[] spareSubs) {
    int[] starts = new int[DIGITS + 1];
    for (int i = 0; i < size; i++) {
      starts[(int) (key(bySub, i) >>> shift & (DIGITS - 1)) + 1]++;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
      starts[digit + 1] += starts[digit];
    }
    for (int i = 0; i < size; i++) {
      int to = starts[(int) (key(bySub, i) >>> shift & (DIGITS - 1))]++;
      spareRevisions[to] = revisions[i];
      spareSubs[to] = subsAndSlots[i];
    }
    System.arraycopy(spareRevisions, 0, revisions, 0, size);
    System.arraycopy(spareSubs, 0, subsAndSlots, 0, size);
  }
}
