// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * Brings an empty store to where the files of a folder left it. A snapshot that is damaged is done
 * without if the log tells all that is in it. Used at the start.
 */
final class Loading {
  private final Storage storage;
  private final Keyspace keyspace;
  private final Attempts attempts;
  private final Replay replay;
  private final boolean mayHaveLost;
  private final LogReader log;
  private long from;
  private boolean hasSnapshot;

  /**
   * @param mayHaveLost whether writes were shown that were not made durable one by one
   */
  Loading(
      Storage storage, Keyspace keyspace, Leases leases, boolean mayHaveLost, Attempts attempts) {
    this.storage = storage;
    this.keyspace = keyspace;
    this.attempts = attempts;
    this.mayHaveLost = mayHaveLost;
    this.replay = new Replay(keyspace, leases, mayHaveLost);
    // All before a snapshot was forced when that was begun.
    long wholeBefore =
        attempts.leftOut().stream().mapToLong(Snapshots::firstSequence).max().orElse(0);
    this.log = new LogReader(storage, mayHaveLost, wholeBefore);
  }

  /**
   * Reads snapshot and log.
   *
   * @throws DamagedSnapshotException if it may be tried without the snapshot, by another store
   * @throws CorruptJournalException if the files were damaged; the store has what comes before then
   */
  void load() throws IOException {
    readSnapshot();
    hasSnapshot = true;
    try {
      log.read(from, replay::apply);
    } finally {
      keyspace.commit();
      if (mayHaveLost) {
        replay.deleteOrphans();
      }
    }
  }

  private void readSnapshot() throws IOException {
    List<String> snapshots = Snapshots.names(storage);
    snapshots.removeAll(attempts.leftOut());
    if (snapshots.isEmpty()) {
      return; // the log tells everything
    }
    String newest = snapshots.removeLast();
    try {
      Snapshots.read(storage, newest, replay);
    } catch (CorruptJournalException damage) {
      if (!snapshots.isEmpty() || isLogSinceTheBeginning()) {
        throw new DamagedSnapshotException(damage);
      }
      throw damage;
    }
    from = Snapshots.firstSequence(newest);
  }

  private boolean isLogSinceTheBeginning() throws IOException {
    List<String> segments = LogReader.segments(storage);
    return !segments.isEmpty() && Segment.firstSequence(segments.getFirst()) == 0;
  }

  /** Whether there is something from which the store could go on. */
  boolean hasSnapshot() {
    return hasSnapshot;
  }

  /** Whether a snapshot was done without. */
  boolean fellBack() {
    return !attempts.isFirst();
  }

  /** Tells of the snapshots that were done without. */
  void warn() {
    for (CorruptJournalException damage : attempts.damages()) {
      System.getLogger(Loading.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "{0}; the store continued from the snapshot before and the log, which has all changes of"
                  + " the damaged snapshot. The store writes another snapshot soon",
              damage.getMessage());
    }
  }

  /** Number of the first frame that is not in the snapshot that was read. */
  long from() {
    return from;
  }

  /** What was read of the log. */
  LogReader log() {
    return log;
  }

  /** What the damage means and what to do. */
  CorruptJournalException explained(CorruptJournalException damage) {
    StringBuilder more = new StringBuilder();
    for (CorruptJournalException other : attempts.damages()) {
      more.append(other.getMessage()).append(". ");
    }
    if (hasSnapshot) {
      more.append("All writes up to revision %d are complete. ".formatted(keyspace.revision()))
          .append(
              "Restore a backup with 'store restore', or start once with --repair: the store keeps")
          .append(" the complete writes, names the lost ones, and renames damaged files to *")
          .append(Repair.ASIDE);
    } else {
      more.append("Without this snapshot, no data of the store can be kept. Restore a backup with")
          .append(" 'store restore', or move the data folder away to start empty");
    }
    return damage.with(more.toString());
  }
}
