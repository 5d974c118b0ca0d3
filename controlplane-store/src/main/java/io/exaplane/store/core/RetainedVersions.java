// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.history.RevisionOrder;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;

/**
 * All versions that an etcd holds which was compacted at the same revision, in the order of their
 * revisions: of what was written up to then the version that each key had, of what came later
 * everything. If some keys have less history than others, that is all that is held of all. They
 * stay readable, whatever is written meanwhile, until this is closed. For one thread.
 */
public final class RetainedVersions implements AutoCloseable {
  /** Bytes of versions that are visited before readers' memory may be freed again. */
  private static final long PIECE_BYTES = 1 << 20;

  /** Takes versions. */
  public interface Visitor<E extends Exception> {
    /** A version; its record may be looked at now only. Must not wait for anything. */
    void version(long record);

    /** What was visited may be handed on, which may take its time. */
    void piece() throws E;
  }

  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final RevisionPins pins;
  private final RangeReader reader;
  private final View view;
  private int[] slots;

  /** Takes what a view shows. By the writer, or within the epoch in which the view was taken. */
  public RetainedVersions(Keyspace keyspace, View view, RevisionPins pins) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory;
    this.pins = pins;
    this.reader = new RangeReader(keyspace);
    this.view = view;
    pins.pin(pinned());
  }

  private long pinned() {
    return Math.max(0, compactedRevision());
  }

  /** The revision up to which versions are held. */
  public long revision() {
    return view.revision();
  }

  /** What was compacted, if only of some keys; -1 if nothing was. */
  public long compactedRevision() {
    return view.wholeSince();
  }

  /** Visits every version up to a revision. May be called again. */
  public <E extends Exception> void forEach(
      EpochReclaimer.Reader epoch, long upTo, Visitor<E> visitor) throws E {
    if (slots == null) {
      slots = slotsAtCompaction(epoch);
    }
    int at = 0;
    while (at < slots.length) {
      epoch.enter();
      try {
        long bytes = 0;
        while (at < slots.length && bytes < PIECE_BYTES) {
          long record = reader.versionOfSlot(slots[at++], pinned());
          if (Records.modRevision(memory, record) <= upTo) {
            visitor.version(record);
            bytes += Records.size(memory, record);
          }
        }
      } finally {
        epoch.leave();
      }
      visitor.piece();
    }
    visitEvents(epoch, upTo, visitor);
  }

  private <E extends Exception> void visitEvents(
      EpochReclaimer.Reader epoch, long upTo, Visitor<E> visitor) throws E {
    long position = -1;
    boolean more = true;
    while (more) {
      epoch.enter();
      try {
        if (position < 0) {
          position = reader.firstEventFrom(keyspace.view(), compactedRevision() + 1);
        }
        long bytes = 0;
        while (position < view.events() && bytes < PIECE_BYTES) {
          long record = reader.event(position++);
          // None of them is forgotten: they are above every floor since this began.
          if (Records.modRevision(memory, record) <= upTo) {
            visitor.version(record);
            bytes += Records.size(memory, record);
          }
        }
        more = position < view.events();
      } finally {
        epoch.leave();
      }
      visitor.piece();
    }
  }

  /** Whether a version is the one that its key has at a revision. Within the epoch. */
  public boolean isCurrent(long record, long atRevision) {
    // Not by address: the cleaner may just have moved it.
    long current = reader.versionOfSlot(Records.slot(memory, record), atRevision);
    return current != 0
        && Records.modRevision(memory, current) == Records.modRevision(memory, record)
        && Records.sub(memory, current) == Records.sub(memory, record);
  }

  private int[] slotsAtCompaction(EpochReclaimer.Reader epoch) {
    RevisionOrder order = new RevisionOrder();
    KeyRange range = pinned() == 0 ? null : KeyRange.all();
    while (range != null) {
      epoch.enter();
      try {
        // Today's tree: it still has every key that was there at the pinned revision.
        reader.open(keyspace.view(), range, pinned());
        int looked = 0;
        long record = reader.next();
        while (record != 0 && looked++ < 4096) {
          order.add(
              Records.modRevision(memory, record),
              Records.sub(memory, record),
              Records.slot(memory, record));
          record = reader.next();
        }
        range = record == 0 ? null : KeyRange.of(Records.copyKey(memory, record), new byte[1]);
        reader.close();
      } finally {
        epoch.leave();
      }
    }
    return order.slots();
  }

  @Override
  public void close() {
    pins.unpin(pinned());
  }
}
