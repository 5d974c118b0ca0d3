// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.history;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Addresses of records in the order of their revisions. The position of an address never changes;
 * what is old is dropped from the front, and what is old by a window of its own is forgotten in its
 * place.
 *
 * <p>Appended to by the one writer. Readers ask for positions below a length that was published to
 * them and not below what was dropped.
 */
public final class AddressLog {
  private static final int CHUNK_SHIFT = 15;
  private static final int CHUNK = 1 << CHUNK_SHIFT;

  /** Chunks from the one numbered {@code base} on. Replaced, not changed, but for the last slot. */
  private record Chunks(long base, long[][] all) {}

  private volatile Chunks chunks = new Chunks(0, new long[0][]);
  private long first;
  private long length;

  /** Appends an address and returns its position. */
  public long append(long address) {
    Chunks now = chunks;
    int chunk = (int) ((length >>> CHUNK_SHIFT) - now.base);
    if (chunk == now.all.length) {
      long[][] grown = Arrays.copyOf(now.all, chunk + 1);
      grown[chunk] = new long[CHUNK];
      now = new Chunks(now.base, grown);
      chunks = now;
    }
    now.all[chunk][(int) length & (CHUNK - 1)] = address;
    return length++;
  }

  /**
   * Leaves of an address only the revision of its record. A reader sees one or the other; the
   * record may go when those that are inside now have left.
   */
  public void forget(long position, long revision) {
    Chunks now = chunks;
    now.all[(int) ((position >>> CHUNK_SHIFT) - now.base)][(int) position & (CHUNK - 1)] =
        ~revision;
  }

  /** Whether of an address only the revision is left. */
  public static boolean isForgotten(long address) {
    return address < 0;
  }

  /** The revision of the record that is, or was, at an address of a log. */
  public static long revision(MemorySegment memory, long address) {
    return isForgotten(address) ? ~address : Records.modRevision(memory, address);
  }

  /** The address at a position, or what is left of it. */
  public long get(long position) {
    Chunks now = chunks;
    return now.all[(int) ((position >>> CHUNK_SHIFT) - now.base)][(int) position & (CHUNK - 1)];
  }

  /** Position behind the newest address. */
  public long length() {
    return length;
  }

  /** Drops what is before the position. */
  public void dropBefore(long position) {
    first = Math.max(first, Math.min(position, length));
    Chunks now = chunks;
    int dead = (int) ((first >>> CHUNK_SHIFT) - now.base);
    if (dead > 0) {
      chunks =
          new Chunks(
              now.base + dead,
              Arrays.copyOfRange(now.all, Math.min(dead, now.all.length), now.all.length));
    }
  }
}
