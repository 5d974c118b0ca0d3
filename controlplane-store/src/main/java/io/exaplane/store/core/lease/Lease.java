// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.lease;

import org.agrona.collections.IntHashSet;

/** A lease: a time to live that keys share. Used by the writer only. */
public final class Lease {
  private final long id;
  private final long ttlSeconds;
  private final IntHashSet slots = new IntHashSet(8);
  private long deadlineMs;

  Lease(long id, long ttlSeconds, long deadlineMs) {
    this.id = id;
    this.ttlSeconds = ttlSeconds;
    this.deadlineMs = deadlineMs;
  }

  public long id() {
    return id;
  }

  /** The time to live that was granted. */
  public long ttlSeconds() {
    return ttlSeconds;
  }

  /** When it ends, in milliseconds of the clock by which it was granted. */
  public long deadlineMs() {
    return deadlineMs;
  }

  void deadlineMs(long deadlineMs) {
    this.deadlineMs = deadlineMs;
  }

  IntHashSet slots() {
    return slots;
  }

  /** Slots of its keys, in no order. */
  public int[] slotArray() {
    int[] array = new int[slots.size()];
    int i = 0;
    for (IntHashSet.IntIterator each = slots.iterator(); each.hasNext(); ) {
      array[i++] = each.nextValue();
    }
    return array;
  }
}
