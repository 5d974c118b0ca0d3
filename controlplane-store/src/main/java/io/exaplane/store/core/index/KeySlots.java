// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * A number for every key that has a version somewhere, and for every number the address of its
 * newest version. An update of a key writes here and nowhere else in the index.
 *
 * <p>Written by the one writer; {@link #newest} may be asked by any thread.
 */
public final class KeySlots {
  private static final VarHandle ATOMIC_LONG = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int CHUNK_SHIFT = 14;
  private static final int CHUNK_SLOTS = 1 << CHUNK_SHIFT;

  private volatile long[][] chunks = new long[0][];
  private volatile short[][] classes = new short[0][];
  private volatile int[][] loads = new int[0][];
  private final IntArrayList free = new IntArrayList();
  private int untouched;

  /**
   * Takes a slot.
   *
   * @param newest address of the key's newest version
   * @param keyClass number of the key's class
   */
  public int take(long newest, short keyClass) {
    int slot = free.isEmpty() ? untouched++ : free.popInt();
    if (slot >>> CHUNK_SHIFT == chunks.length) {
      long[][] grown = Arrays.copyOf(chunks, chunks.length + 1);
      grown[chunks.length] = new long[CHUNK_SLOTS];
      short[][] grownClasses = Arrays.copyOf(classes, grown.length);
      grownClasses[chunks.length] = new short[CHUNK_SLOTS];
      classes = grownClasses;
      loads = Arrays.copyOf(loads, grown.length);
      chunks = grown;
    }
    classes[slot >>> CHUNK_SHIFT][slot & (CHUNK_SLOTS - 1)] = keyClass;
    newest(slot, newest);
    return slot;
  }

  /** Number of the class of a slot's key. By any thread that may look at a record of it. */
  public short classOf(int slot) {
    return classes[slot >>> CHUNK_SHIFT][slot & (CHUNK_SLOTS - 1)];
  }

  /**
   * What the newest version's value takes decoded; 0 if its bytes alone tell that. By the writer;
   * any other thread that may look at a record of the slot may get that of another version.
   */
  public int load(int slot) {
    int[] chunk = loads[slot >>> CHUNK_SHIFT];
    return chunk == null ? 0 : chunk[slot & (CHUNK_SLOTS - 1)];
  }

  /** Keeps that. Takes memory only where there is one that is not 0. */
  public void load(int slot, int bytes) {
    int[][] all = loads;
    int chunk = slot >>> CHUNK_SHIFT;
    if (all[chunk] == null && bytes != 0) {
      int[][] more = all.clone();
      more[chunk] = new int[CHUNK_SLOTS];
      loads = more;
      all = more;
    }
    if (all[chunk] != null) {
      all[chunk][slot & (CHUNK_SLOTS - 1)] = bytes;
    }
  }

  /** The slot that {@link #take} will give next. */
  public int next() {
    return free.isEmpty() ? untouched : free.getInt(free.size() - 1);
  }

  /** Gives a slot back. No reader may hold it any more. */
  public void release(int slot) {
    newest(slot, 0);
    free.addInt(slot);
  }

  /** Address of the newest version, which may be newer than what the asking reader may see. */
  public long newest(int slot) {
    return (long) ATOMIC_LONG.getAcquire(chunks[slot >>> CHUNK_SHIFT], slot & (CHUNK_SLOTS - 1));
  }

  /** Makes a version the newest; it must be wholly written. */
  public void newest(int slot, long record) {
    ATOMIC_LONG.setRelease(chunks[slot >>> CHUNK_SHIFT], slot & (CHUNK_SLOTS - 1), record);
  }

  /** Number of slots that are taken. */
  public int taken() {
    return untouched - free.size();
  }
}
