// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;

/** Brings an empty store to where the files of a folder left it. Used at the start. */
final class Loading {
  private final Storage storage;
  private final Keyspace keyspace;
  private final Replay replay;
  private final LogReader log;
  private final boolean mayHaveLost;
  private long next;

  /**
   * @param mayHaveLost whether writes were shown that were not made durable one by one
   */
  Loading(Storage storage, Keyspace keyspace, Leases leases, boolean mayHaveLost) {
    this.storage = storage;
    this.keyspace = keyspace;
    this.mayHaveLost = mayHaveLost;
    this.replay = new Replay(keyspace, leases, mayHaveLost);
    this.log = new LogReader(storage, mayHaveLost, 0);
  }

  /**
   * Reads snapshot and log.
   *
   * @throws CorruptJournalException if they were damaged; the store has what comes before then
   */
  void load() throws IOException {
    long from = Snapshots.read(storage, replay);
    try {
      next = log.read(from, replay::apply);
    } finally {
      keyspace.commit();
    }
    if (mayHaveLost) {
      replay.deleteOrphans();
    }
  }

  /** What was read of the log. */
  LogReader log() {
    return log;
  }

  /** Number of the frame that comes next; 0 if there was nothing. */
  long next() {
    return next;
  }

  /** What the damage means and what to do. */
  CorruptJournalException explained(CorruptJournalException damage) {
    return damage.with(
        ("All writes up to revision %d are whole; acknowledged ones after it may be lost. Restore a"
                + " backup with 'store restore', or start once with --repair: it keeps the whole"
                + " writes, names what it drops, and puts the damaged files aside as *%s")
            .formatted(keyspace.revision(), Repair.ASIDE));
  }
}
