// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.HistoryStarts;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.Recovery;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.LeaseListener;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.stats.Histogram;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

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
  private final Durability strongest;
  private final Durability weakest;
  private final Keyspace keyspace;
  private final Leases leases;
  private final RevisionPins pins;
  private final Entries entries = new Entries();
  private final Reservation reservation;
  private final LogWriter log;
  private final Snapshots snapshots;
  private final Limits limits;
  private final Recovered recovered;
  private final Histogram syncs = new Histogram();
  private boolean isSnapshotDue;
  private boolean durable;
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
      Limits limits,
      Reservation reservation,
      LogWriter log,
      Recovered recovered,
      Loading loading) {
    this.recovered = recovered;
    this.storage = storage;
    this.strongest = keyspace.space().classes().strongest();
    this.weakest = keyspace.space().classes().weakest();
    this.keyspace = keyspace;
    this.leases = leases;
    this.pins = pins;
    this.limits = limits;
    this.reservation = reservation;
    this.log = log;
    this.snapshots = new Snapshots(storage, keyspace, pins, loading.from());
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
   * @param revisionFloor a revision that was perhaps shown by a store whose files are lost; counts
   *     only if there are none
   * @param attempts of this start, which makes another empty store if this one can't be used
   * @throws CorruptJournalException if the files were damaged; nothing was changed in them
   */
  public static Journal open(
      Storage storage,
      long revisionFloor,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      Attempts attempts)
      throws IOException {
    LongSupplier random = new SecureRandom()::nextLong;
    return open(storage, revisionFloor, keyspace, leases, pins, attempts, Limits.DEFAULT, random);
  }

  static Journal open(
      Storage storage,
      long revisionFloor,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      Attempts attempts,
      Limits limits,
      LongSupplier random)
      throws IOException {
    Reservation reservation = Reservation.open(storage);
    boolean mayHaveLost = reservation.reserved() > 0;
    Loading loading = new Loading(storage, keyspace, leases, mayHaveLost, attempts);
    try {
      loading.load();
    } catch (CorruptJournalException damage) {
      throw loading.explained(damage);
    }
    loading.warn();
    Snapshots.deletePartial(storage);
    MarkedSegment.deletePartial(storage);
    LogReader log = loading.log();
    long next = log.next();
    boolean isNew = next == 0 && reservation.reserved() == 0;
    boolean mayMissMemory = mayHaveLost && !attempts.isFirst();
    boolean jumped = jump(keyspace, reservation, isNew ? revisionFloor : 0, mayMissMemory);
    LogWriter writer =
        new LogWriter(
            storage, next, log.lastDurable(), limits.segmentBytes(), log.bytesRead(), random);
    Recovered recovered = recovered(keyspace, isNew, jumped);
    keyspace.space().classes().started();
    Journal journal =
        new Journal(
            storage, keyspace, leases, pins, limits, reservation, writer, recovered, loading);
    if (jumped) {
      journal.noteRevision();
    }
    journal.commit();
    if (journal.weakest == Durability.FSYNC && mayHaveLost) {
      journal.beginAnew(log);
    }
    return journal;
  }

  private static Recovered recovered(Keyspace keyspace, boolean isNew, boolean jumped) {
    KeyClasses classes = keyspace.space().classes();
    boolean keepsNothing = classes.strongest() == Durability.MEMORY && classes.keys() == 0;
    if (isNew || jumped && keepsNothing) {
      return Recovered.EMPTY;
    }
    return jumped ? Recovered.PARTIAL : Recovered.REPLAYED;
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
   * Goes on above every revision that was perhaps shown, if writes may have been lost: what was
   * read or watched before must be read anew. Whoever saw everything would go on with the next
   * revision; so that one is compacted, too.
   */
  private static boolean jump(
      Keyspace keyspace, Reservation reservation, long revisionFloor, boolean lostMore) {
    long perhapsShown = Math.max(reservation.reserved(), revisionFloor);
    boolean jumps = perhapsShown > keyspace.revision() || reservation.lostSome() || lostMore;
    if (jumps) {
      Recovery recovery = new Recovery(keyspace);
      recovery.revision(Math.max(perhapsShown, keyspace.revision()) + 2);
      recovery.compacted(keyspace.revision());
    }
    return jumps;
  }

  /**
   * Fills an empty folder with what a store holds, for {@link #open} to go on from.
   *
   * @throws IOException if it can't be written
   */
  public static void create(Storage storage, Keyspace keyspace, Leases leases) throws IOException {
    RevisionPins pins = new RevisionPins();
    Snapshots.Plan plan =
        new Snapshots.Plan(keyspace.publish(), leases.states(), leases.latestMs(), 1);
    pins.pin(Snapshots.pinned(plan));
    new Snapshots(storage, keyspace, pins, 0).write(plan);
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
    }
  }

  /** Takes in what changed since the last call: whole revisions. */
  public void collect() {
    long end = keyspace.eventCount();
    while (collectedEvents < end) {
      long next = endOfRevision(collectedEvents, end);
      Durability asked = strongestOf(collectedEvents, next);
      for (long at = collectedEvents; at < next && asked != Durability.MEMORY; at++) {
        entries.version(keyspace.memory(), keyspace.event(at));
      }
      durable |= asked == Durability.FSYNC;
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

  private long endOfRevision(long from, long end) {
    long revision = Records.modRevision(keyspace.memory(), keyspace.event(from));
    long at = from + 1;
    while (at < end && Records.modRevision(keyspace.memory(), keyspace.event(at)) == revision) {
      at++;
    }
    return at;
  }

  /** All of a revision survives what the strongest of its keys asks for. */
  private Durability strongestOf(long from, long end) {
    Durability found = Durability.MEMORY;
    for (long at = from; at < end && found != strongest; at++) {
      Durability asked = keyspace.space().classOf(keyspace.event(at)).rule().durability();
      found = asked.compareTo(found) < 0 ? asked : found;
    }
    return found;
  }

  /**
   * Makes what was taken in as durable as it has to be. After it, it may be shown.
   *
   * @throws IOException if it can't be written now; nothing is lost, and it may be tried again
   */
  public void commit() throws IOException {
    collect();
    if (weakest != Durability.FSYNC) {
      reservation.require(keyspace.revision(), weakest == Durability.MEMORY);
    }
    if (!entries.isEmpty()) {
      long startNanos = System.nanoTime();
      log.append(entries, durable);
      if (durable) {
        syncs.record(System.nanoTime() - startNanos);
      }
      entries.clear();
    }
    durable = false;
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
      System.getLogger(Journal.class.getName())
          .log(
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
        System.getLogger(Journal.class.getName())
            .log(
                System.Logger.Level.INFO,
                "the snapshot before the newest was deleted, with the log between them: the disk has no"
                    + " room for it");
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
      log.force();
      LogReader.force(storage); // also segments that were left after a failure
      reservation.exactly(keyspace.revision());
    }
    log.close();
    storage.close();
  }
}
