// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.LeaseListener;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps a store's changes on disk: a log of frames, each with all that one batch of the writer
 * changed, and snapshots that take the place of the log's beginning.
 *
 * <p>Used by the writer: {@link #collect} after every command, {@link #commit} after every batch
 * and before it is shown. {@link #commit} may be called again when it failed. Only {@link
 * #writeSnapshot} runs on another thread.
 */
public final class Journal implements AutoCloseable {
  /**
   * @param segmentBytes of a segment of the log
   * @param leastLogBytes a snapshot is due when the log is larger than this and than the store
   */
  record Limits(long segmentBytes, long leastLogBytes) {
    static final Limits DEFAULT = new Limits(64L << 20, 128L << 20);
  }

  private final Storage storage;
  private final Durability durability;
  private final Keyspace keyspace;
  private final Leases leases;
  private final RevisionPins pins;
  private final Entries entries = new Entries();
  private final Reservation reservation;
  private final LogWriter log;
  private final Snapshots snapshots;
  private final Limits limits;
  private long collectedEvents;
  private long collectedCompaction;
  private final AtomicLong supersededBytes = new AtomicLong();
  private volatile long failedAtBytes;
  private volatile boolean snapshotting;

  private Journal(
      Storage storage,
      Durability durability,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      Limits limits,
      Reservation reservation,
      long nextSequence,
      long logBytes) {
    this.storage = storage;
    this.durability = durability;
    this.keyspace = keyspace;
    this.leases = leases;
    this.pins = pins;
    this.limits = limits;
    this.reservation = reservation;
    this.log =
        new LogWriter(
            storage, durability == Durability.FSYNC, nextSequence, limits.segmentBytes(), logBytes);
    this.snapshots = new Snapshots(storage, keyspace, pins);
    this.collectedEvents = keyspace.eventCount();
    this.collectedCompaction = keyspace.compactedRevision();
    leases.listener(new Listener());
  }

  /**
   * Brings an empty store to where its files left it and goes on from there.
   *
   * @param revisionFloor a revision that was perhaps shown by a store whose files are lost
   * @throws CorruptJournalException if the files were damaged; nothing was changed in them
   */
  public static Journal open(
      Storage storage,
      Durability durability,
      long revisionFloor,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins)
      throws IOException {
    return open(storage, durability, revisionFloor, keyspace, leases, pins, Limits.DEFAULT);
  }

  static Journal open(
      Storage storage,
      Durability durability,
      long revisionFloor,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      Limits limits)
      throws IOException {
    Replay replay = new Replay(keyspace, leases);
    long from = Snapshots.read(storage, replay::apply);
    if (from > 0 && !replay.ended()) {
      throw new CorruptJournalException("the snapshot", 0, "it has no end");
    }
    Reservation reservation = Reservation.open(storage);
    LogReader log = new LogReader(storage, reservation.reserved() > 0);
    long next = log.read(from, replay::apply);
    log.deleteBehind(next);
    Snapshots.deletePartial(storage);
    keyspace.commit();
    long perhapsShown = Math.max(reservation.reserved(), revisionFloor);
    if (perhapsShown > keyspace.revision()) {
      // Writes may have been lost: what was read or watched at older revisions must be read anew.
      keyspace.restoreRevision(perhapsShown);
      keyspace.restoreCompacted(perhapsShown);
    }
    Journal journal =
        new Journal(
            storage,
            durability,
            keyspace,
            leases,
            pins,
            limits,
            reservation,
            next,
            log.bytesRead());
    if (perhapsShown > 0) {
      journal.entries.revision(keyspace.revision());
      journal.entries.compacted(keyspace.compactedRevision());
    }
    journal.commit();
    if (durability == Durability.FSYNC && reservation.reserved() > 0) {
      log.force();
      reservation.exactly(0); // from now on the log tells
    }
    return journal;
  }

  /**
   * Fills an empty folder with what a store holds, for {@link #open} to go on from.
   *
   * @throws IOException if it can't be written
   */
  public static void create(Storage storage, Keyspace keyspace, Leases leases) throws IOException {
    RevisionPins pins = new RevisionPins();
    Snapshots.Plan plan = new Snapshots.Plan(keyspace.publish(), leases.states(), 1);
    pins.pin(Snapshots.pinned(plan));
    new Snapshots(storage, keyspace, pins).write(plan);
  }

  /** Takes in what changed since the last call. */
  public void collect() {
    for (long at = collectedEvents; at < keyspace.eventCount(); at++) {
      entries.version(keyspace.memory(), keyspace.event(at));
    }
    collectedEvents = keyspace.eventCount();
    if (keyspace.compactedRevision() != collectedCompaction) {
      collectedCompaction = keyspace.compactedRevision();
      entries.compacted(collectedCompaction);
    }
  }

  /**
   * Makes what was taken in as durable as this journal is. After it, it may be shown.
   *
   * @throws IOException if it can't be written now; nothing is lost, and it may be tried again
   */
  public void commit() throws IOException {
    collect();
    if (durability != Durability.FSYNC) {
      reservation.require(keyspace.revision());
    }
    if (durability == Durability.MEMORY) {
      entries.clear();
    } else if (!entries.isEmpty()) {
      log.append(entries);
      entries.clear();
    }
  }

  /** Whether the log has become so long that a snapshot should take its place. */
  public boolean wantsSnapshot() {
    if (durability == Durability.MEMORY || snapshotting) {
      return false;
    }
    log.takeBack(supersededBytes.getAndSet(0));
    // After one that failed the log grows by a quarter before it is tried again.
    long due = Math.max(limits.leastLogBytes(), keyspace.records().recordBytes());
    return log.bytes() > Math.max(due, failedAtBytes + failedAtBytes / 4);
  }

  /** Takes down what a snapshot is to hold. When all that was committed is published. */
  public Runnable planSnapshot() throws IOException {
    log.endSegment();
    long superseded = log.bytes();
    Snapshots.Plan plan = new Snapshots.Plan(keyspace.view(), leases.states(), log.nextSequence());
    pins.pin(Snapshots.pinned(plan));
    snapshotting = true;
    return () -> writeSnapshot(plan, superseded);
  }

  /** Has a snapshot that is under way end soon, without a result. */
  public void stopSnapshot() {
    snapshots.stop();
  }

  private void writeSnapshot(Snapshots.Plan plan, long superseded) {
    try {
      snapshots.write(plan);
      supersededBytes.addAndGet(superseded);
      failedAtBytes = 0;
    } catch (IOException e) {
      failedAtBytes = superseded;
      System.getLogger(Journal.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "no snapshot could be written, the log grows on until the next one: {0}",
              e.toString());
    } finally {
      snapshotting = false;
    }
  }

  /** Ends in good order: after it nothing is lost, whatever the durability, but in memory. */
  @Override
  public void close() throws IOException {
    if (durability == Durability.BUFFERED) {
      log.force();
      reservation.exactly(keyspace.revision());
    } else if (durability == Durability.MEMORY) {
      reservation.exactly(keyspace.revision());
    }
    log.close();
    storage.close();
  }

  private final class Listener implements LeaseListener {
    @Override
    public void changed(Lease lease) {
      entries.lease(lease.id(), lease.ttlSeconds(), lease.deadlineMs());
    }

    @Override
    public void ended(Lease lease) {
      entries.leaseEnded(lease.id());
    }
  }
}
