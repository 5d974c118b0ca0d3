// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.HistoryStarts;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.lease.LeaseListener;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.stats.Histogram;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.collections.LongArrayList;

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

  private static final System.Logger LOG = System.getLogger(Journal.class.getName());

  /** Keys that a start deletes in one revision. */
  private static final int DELETED_AT_ONCE = 10_000;

  private final Storage storage;
  private final Durability strongest;
  private final Durability weakest;
  private final Keyspace keyspace;
  private final Leases leases;
  private final RevisionPins pins;
  private final Entries entries = new Entries();
  private final Revisions revisions;
  private final Reservation reservation;
  private final Reservation.Losses losses;
  private final LogWriter log;
  private final Snapshots snapshots;
  private final Limits limits;
  private Recovered recovered;
  private final Histogram syncs = new Histogram();
  private boolean isSnapshotDue;
  private boolean durable;
  private long collectedDurable;
  private long durableRevision;
  private long collectedEvents;
  private long collectedCompaction;
  private HistoryStarts collectedStarts;
  private final AtomicLong supersededBytes = new AtomicLong();
  private volatile long failedAtBytes;
  private volatile boolean snapshotting;

  private Journal(
      Storage storage,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      MemberIds ids,
      Limits limits,
      Reservation reservation,
      LogWriter log,
      Restart restart,
      Loading loading) {
    this.durableRevision = restart.loaded();
    this.collectedDurable = durableRevision;
    this.storage = storage;
    this.strongest = keyspace.space().classes().strongest();
    this.weakest = keyspace.space().classes().weakest();
    this.keyspace = keyspace;
    this.revisions = new Revisions(keyspace);
    this.leases = leases;
    this.pins = pins;
    this.limits = limits;
    this.reservation = reservation;
    this.losses = Reservation.Losses.of(keyspace.space().classes());
    this.log = log;
    this.snapshots = new Snapshots(storage, ids, keyspace, pins, loading.from());
    this.isSnapshotDue = loading.fellBack();
    log.roomMaker(this::deleteSpare);
    this.collectedEvents = keyspace.eventCount();
    this.collectedCompaction = keyspace.compactedRevision();
    this.collectedStarts = keyspace.historyStarts();
    leases.listener(
        strongest == Durability.MEMORY
            ? LeaseListener.NONE
            : new LeaseNotes(entries, () -> durable |= strongest == Durability.FSYNC));
  }

  /**
   * Brings an empty store to where its files left it and goes on from there.
   *
   * @param seen what is known of the store from elsewhere
   * @param attempts of this start, which makes another empty store if this one can't be used
   * @throws CorruptJournalException if the files were damaged; nothing was changed in them
   * @throws SeenRevisions.OlderDataException if they are older than what is known of them; nothing
   *     was changed in them either
   */
  public static Journal open(
      Storage storage,
      SeenRevisions seen,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      Attempts attempts)
      throws IOException {
    LongSupplier random = new SecureRandom()::nextLong;
    return open(storage, seen, keyspace, leases, pins, attempts, Limits.DEFAULT, random);
  }

  static Journal open(
      Storage storage,
      SeenRevisions seen,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      Attempts attempts,
      Limits limits,
      LongSupplier random)
      throws IOException {
    MemberIds ids = new Owners(storage).require();
    Reservation reservation = Reservation.open(storage, ids);
    boolean mayHaveLost = reservation.reserved() > 0;
    Loading loading = new Loading(storage, keyspace, leases, mayHaveLost, attempts);
    try {
      loading.load();
    } catch (CorruptJournalException damage) {
      throw loading.explained(damage);
    }
    LogReader log = loading.log();
    boolean isNew = log.next() == 0 && reservation.reserved() == 0;
    Restart restart = new Restart(keyspace, reservation, isNew, loading.fellBack());
    restart.goOn(seen);
    loading.warn();
    Snapshots.deletePartial(storage);
    MarkedSegment.deletePartial(storage);
    SmallFile.deletePartial(
        storage, MemberIds.FILE, Acknowledged.FILE, Reservation.FILE, MovesFile.FILE);
    LogWriter writer =
        new LogWriter(
            storage,
            ids,
            log.next(),
            log.lastDurable(),
            limits.segmentBytes(),
            log.bytesRead(),
            random);
    Journal journal =
        new Journal(
            storage, keyspace, leases, pins, ids, limits, reservation, writer, restart, loading);
    journal.begin(restart);
    if (journal.weakest == Durability.FSYNC && mayHaveLost) {
      journal.beginAnew(log);
    }
    return journal;
  }

  private void begin(Restart restart) throws IOException {
    if (restart.jumped()) {
      noteRevision();
    }
    LongArrayList outdated = restart.outdated();
    if (!outdated.isEmpty()) {
      delete(outdated);
      restart.deletedOutdated();
    }
    recovered = restart.recovered();
    keyspace.space().classes().started();
    commit();
  }

  /** Keys that are to be in memory only go from the files, too. */
  private void delete(LongArrayList records) throws IOException {
    for (int i = 0; i < records.size(); i++) {
      entries.version(keyspace.memory(), keyspace.delete(records.getLong(i)));
      if (i == records.size() - 1 || i % DELETED_AT_ONCE == DELETED_AT_ONCE - 1) {
        keyspace.commit();
        noteRevision();
        commit();
      }
    }
  }

  /** What was found at the start. By any thread. */
  public Recovered recovered() {
    return recovered;
  }

  /**
   * From now on everything is kept. What the log tells of times when it was not can't be read by
   * today's rules; so a snapshot takes its place.
   */
  private void beginAnew(LogReader old) throws IOException {
    keyspace.publish();
    Runnable snapshot = planSnapshot();
    snapshot.run();
    if (failedAtBytes > 0) {
      throw new IOException(
          "no snapshot could be written of what was found; make room on the disk");
    }
    snapshots.deleteSpare();
    old.deleteBefore(log.nextSequence());
    reservation.end();
  }

  /**
   * Fills an empty folder with what a store holds, for {@link #open} to go on from.
   *
   * @param ids of the store that goes on from it
   * @throws IOException if it can't be written
   */
  public static void create(Storage storage, MemberIds ids, Keyspace keyspace, Leases leases)
      throws IOException {
    RevisionPins pins = new RevisionPins();
    Snapshots.Plan plan =
        new Snapshots.Plan(keyspace.publish(), leases.states(), leases.latestMs(), 1);
    pins.pin(Snapshots.pinned(plan));
    new Snapshots(storage, ids, keyspace, pins, 0).write(plan);
  }

  /** Whether a file of that name is what {@link #create} makes. */
  public static boolean isCreated(String name) {
    return Snapshots.isSnapshot(name);
  }

  private void noteRevision() {
    if (strongest != Durability.MEMORY) {
      entries.revision(keyspace.revision());
      entries.compacted(keyspace.compactedRevision());
      durable |= strongest == Durability.FSYNC;
      collectedDurable = keyspace.revision();
    }
  }

  /** Takes in what changed since the last call: whole revisions. */
  public void collect() {
    long end = keyspace.eventCount();
    while (collectedEvents < end) {
      long next = revisions.end(collectedEvents, end);
      Durability asked = revisions.durability(collectedEvents, next);
      if (asked != Durability.MEMORY) {
        revisions.write(collectedEvents, next, entries);
      }
      if (asked == Durability.FSYNC) {
        durable = true;
        collectedDurable = Records.modRevision(keyspace.memory(), keyspace.event(next - 1));
      }
      collectedEvents = next;
    }
    if (keyspace.compactedRevision() != collectedCompaction) {
      collectedCompaction = keyspace.compactedRevision();
      noteRevision(); // it may be one without a change
    }
    if (keyspace.historyStarts() != collectedStarts) {
      collectedStarts = keyspace.historyStarts();
      if (strongest != Durability.MEMORY) {
        entries.historyStarts(collectedStarts.byPrefix());
        durable |= strongest == Durability.FSYNC;
      }
    }
  }

  /**
   * Makes what was taken in as durable as it has to be. After it, it may be shown.
   *
   * @throws IOException if it can't be written now; nothing is lost, and it may be tried again
   */
  public void commit() throws IOException {
    collect();
    if (!entries.isEmpty()) {
      long startNanos = System.nanoTime();
      log.append(entries, durable);
      if (durable) {
        syncs.record(System.nanoTime() - startNanos);
        durableRevision = collectedDurable;
      }
      entries.clear();
    }
    durable = false;
    // Afterwards: that only some keys may have been lost counts when the log tells of all others.
    if (weakest != Durability.FSYNC) {
      reservation.require(keyspace.revision(), losses);
    }
  }

  /** Makes all durable that was committed, but what is kept in memory only. */
  public void force() throws IOException {
    log.force();
    LogReader.force(storage); // also segments that were left after a failure
  }

  /**
   * The newest revision that the next start finds in the files, whatever happens; of a store that
   * keeps no key so well the newest one. By the writer.
   */
  public long durableRevision() {
    return strongest == Durability.FSYNC ? durableRevision : keyspace.revision();
  }

  /** How long it took to make batches durable. By any thread. */
  public Histogram.Times syncTimes() {
    return syncs.times();
  }

  /** Bytes of the log that the next start would read. By the writer. */
  public long logBytes() {
    return log.bytes();
  }

  /** Whether the log has become so long that a snapshot should take its place. */
  public boolean wantsSnapshot() {
    if (strongest == Durability.MEMORY || snapshotting) {
      return false;
    }
    log.takeBack(supersededBytes.getAndSet(0));
    // After one that failed the log grows by a quarter before it is tried again.
    long due = Math.max(limits.leastLogBytes(), keyspace.records().recordBytes());
    return isSnapshotDue || log.bytes() > Math.max(due, failedAtBytes + failedAtBytes / 4);
  }

  /** Takes down what a snapshot is to hold. When all that was committed is published. */
  public Runnable planSnapshot() throws IOException {
    log.endSegment();
    long superseded = log.bytes();
    Snapshots.Plan plan =
        new Snapshots.Plan(keyspace.view(), leases.states(), leases.latestMs(), log.nextSequence());
    pins.pin(Snapshots.pinned(plan));
    snapshotting = true;
    isSnapshotDue = false;
    return () -> writeSnapshot(plan, superseded);
  }

  /** Has a snapshot that is under way end without a result, and waits for it. */
  public void stopSnapshot() throws InterruptedException {
    snapshots.stop();
    synchronized (snapshots) {
      while (snapshotting) {
        snapshots.wait();
      }
    }
  }

  private void writeSnapshot(Snapshots.Plan plan, long superseded) {
    try {
      snapshots.write(plan);
      supersededBytes.addAndGet(superseded);
      failedAtBytes = 0;
    } catch (IOException e) {
      failedAtBytes = deleteSpare() ? 0 : Math.max(1, superseded);
      LOG.log(
          System.Logger.Level.WARNING,
          "no snapshot could be written, the log grows on until the next one: {0}",
          e.toString());
    } finally {
      synchronized (snapshots) {
        snapshotting = false;
        snapshots.notifyAll();
      }
    }
  }

  /** Makes room on a disk that has none. By any thread. */
  private boolean deleteSpare() {
    try {
      boolean deleted = snapshots.deleteSpare();
      if (deleted) {
        LOG.log(
            System.Logger.Level.INFO,
            "the snapshot before the newest was deleted, with the log between them: the disk has no room for it");
      }
      return deleted;
    } catch (IOException e) {
      return false; // whoever wants the room tells what is wrong
    }
  }

  /** Ends in good order: after it nothing is lost, but what is kept in memory only. */
  @Override
  public void close() throws IOException {
    if (weakest != Durability.FSYNC) {
      force();
      reservation.exactly(keyspace.revision());
    }
    log.close();
    storage.close();
  }
}
