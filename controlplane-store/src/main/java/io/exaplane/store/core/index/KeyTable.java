// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import io.exaplane.store.core.memory.Bytes;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Finds the slot of a key: hash tables with open addressing, split by the hash's first bits so that
 * none is large and growing one is a short pause. An entry is 32 bits of hash and a slot.
 *
 * <p>Written by the one writer; {@link #find} may be called by any thread that reads under an epoch
 * (see EpochReclaimer). A reader that races with an insert or a removal finds or misses the key,
 * which was created or compacted away at a revision that is none of its business.
 */
public final class KeyTable {
  public static final int NOT_FOUND = -1;

  private static final VarHandle ATOMIC_LONG = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PARTS = 256;
  private static final int PART_SHIFT = 56;
  private static final int INITIAL_ENTRIES = 16;
  private static final long EMPTY = 0;
  private static final long REMOVED = 0xffff_ffffL;
  private static final double MAX_FILL = 0.7;

  private final MemorySegment memory;
  private final KeySlots slots;
  private final long seed;
  private final Part[] parts = new Part[PARTS];

  private static final class Part {
    volatile long[] entries = new long[INITIAL_ENTRIES];
    int keys;
    int filled;
  }

  public KeyTable(MemorySegment memory, KeySlots slots, long seed) {
    this.memory = memory;
    this.slots = slots;
    this.seed = seed;
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new Part();
    }
  }

  /** The key's slot or {@link #NOT_FOUND}. */
  public int find(byte[] key, int offset, int length) {
    long hash = Bytes.hash(key, offset, length, seed);
    int tag = tag(hash);
    long[] entries = part(hash).entries;
    int mask = entries.length - 1;
    for (int at = tag & mask; ; at = (at + 1) & mask) {
      long entry = (long) ATOMIC_LONG.getAcquire(entries, at);
      if (entry == EMPTY) {
        return NOT_FOUND;
      }
      if ((int) (entry >>> 32) == tag && entry != REMOVED) {
        int slot = (int) entry - 1;
        if (Records.hasKey(memory, slots.newest(slot), key, offset, length)) {
          return slot;
        }
      }
    }
  }

  /** Adds a key that is not there. */
  public void insert(byte[] key, int offset, int length, int slot) {
    long hash = Bytes.hash(key, offset, length, seed);
    Part part = part(hash);
    if (part.filled + 1 > part.entries.length * MAX_FILL) {
      rebuild(part);
    }
    put(part.entries, entry(tag(hash), slot));
    part.keys++;
    part.filled++;
  }

  /** Takes a key out that is there. */
  public void remove(byte[] key, int slot) {
    long hash = Bytes.hash(key, 0, key.length, seed);
    Part part = part(hash);
    long[] entries = part.entries;
    int mask = entries.length - 1;
    long wanted = entry(tag(hash), slot);
    int at = tag(hash) & mask;
    while (entries[at] != wanted) {
      if (entries[at] == EMPTY) {
        throw new IllegalStateException("slot %d is not in the table".formatted(slot));
      }
      at = (at + 1) & mask;
    }
    ATOMIC_LONG.setRelease(entries, at, REMOVED);
    part.keys--;
  }

  /** The 32 bits that are kept; they choose the place and tell keys apart. */
  private static int tag(long hash) {
    return (int) (hash >>> 16);
  }

  private Part part(long hash) {
    return parts[(int) (hash >>> PART_SHIFT)];
  }

  private static long entry(int tag, int slot) {
    return (long) tag << 32 | (slot + 1);
  }

  private static void put(long[] entries, long entry) {
    int mask = entries.length - 1;
    int at = (int) (entry >>> 32) & mask;
    while (entries[at] != EMPTY) {
      at = (at + 1) & mask;
    }
    ATOMIC_LONG.setRelease(entries, at, entry);
  }

  /** Readers go on in the old array, which misses only what was inserted after they came. */
  private static void rebuild(Part part) {
    int size = INITIAL_ENTRIES;
    while (size * MAX_FILL / 2 < part.keys + 1) {
      size <<= 1;
    }
    long[] entries = new long[size];
    for (long entry : part.entries) {
      if (entry != EMPTY && entry != REMOVED) {
        put(entries, entry);
      }
    }
    part.entries = entries;
    part.filled = part.keys;
  }
}
