// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;

/** Slots of keys in order, and for each whether the key is live. */
final class Leaf extends KeyTree.Node {
  /** As many as a word has bits. */
  static final int CAPACITY = 64;

  private static final int INITIAL = 8;

  int[] slots;
  long live;

  Leaf(long batch) {
    super(batch);
    slots = new int[INITIAL];
  }

  private Leaf(long batch, Leaf source) {
    super(batch);
    slots = source.slots.clone();
    size = source.size;
    live = source.live;
  }

  /** This leaf if it is of the batch, else a copy that is. */
  Leaf owned(long batch) {
    return this.batch == batch ? this : new Leaf(batch, this);
  }

  @Override
  public int live() {
    return Long.bitCount(live);
  }

  int liveBelow(int index) {
    return index == CAPACITY ? live() : Long.bitCount(live & ((1L << index) - 1));
  }

  boolean isLive(int index) {
    return (live >>> index & 1) != 0;
  }

  /** Index of the first key that is not below the given one. */
  int lowerBound(MemorySegment memory, KeySlots keys, byte[] key, int offset, int length) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long record = keys.newest(slots[middle]);
      if (Records.compareKey(memory, record, key, offset, length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void insert(int at, int slot) {
    if (size == slots.length) {
      slots = java.util.Arrays.copyOf(slots, size * 2);
    }
    System.arraycopy(slots, at, slots, at + 1, size - at);
    slots[at] = slot;
    size++;
    long below = live & ((1L << at) - 1);
    live = (live ^ below) << 1 | 1L << at | below;
  }

  void remove(int at) {
    System.arraycopy(slots, at + 1, slots, at, size - at - 1);
    size--;
    long below = live & ((1L << at) - 1);
    live = (live >>> 1) & -(1L << at) | below;
  }

  /** Moves what is at and behind the index into a new leaf. */
  Leaf splitAt(int index, long batch) {
    Leaf right = new Leaf(batch);
    right.size = size - index;
    right.slots = new int[CAPACITY];
    System.arraycopy(slots, index, right.slots, 0, right.size);
    if (index < CAPACITY) {
      right.live = live >>> index;
      live &= (1L << index) - 1;
    }
    size = index;
    return right;
  }

  void append(Leaf other) {
    int[] joined = new int[CAPACITY];
    System.arraycopy(slots, 0, joined, 0, size);
    System.arraycopy(other.slots, 0, joined, size, other.size);
    slots = joined;
    live |= other.live << size;
    size += other.size;
  }
}
