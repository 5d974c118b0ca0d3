// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.Recovery;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Without;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Makes a folder with damaged files one that a store starts from: with all that comes before the
 * damage, in a new snapshot. Names what it drops, deletes nothing, and goes on with revisions that
 * nobody can have seen. May be run again if it was interrupted.
 */
public final class Repair {
  /** Ends the names of files that were put aside, and that no store reads. */
  static final String ASIDE = ".damaged";

  /** A day of 10,000 writes a second is less; as many revisions are skipped. */
  static final long SKIPPED_REVISIONS = 1_000_000_000;

  private final Storage storage;
  private final Keyspace keyspace;
  private final Leases leases;
  private final Attempts attempts;
  private final Consumer<String> out;
  private final TreeSet<String> aside = new TreeSet<>();
  private MemberIds ids = MemberIds.NONE;
  private Storage own;
  private Reservation reservation;

  /**
   * @param keyspace empty, as leases
   * @param out takes the lines that tell what was found and done
   */
  public Repair(
      Storage storage, Keyspace keyspace, Leases leases, Attempts attempts, Consumer<String> out) {
    this.storage = storage;
    this.keyspace = keyspace;
    this.leases = leases;
    this.attempts = attempts;
    this.out = out;
  }

  /**
   * Repairs what is damaged.
   *
   * @return whether anything was
   * @throws IOException if nothing can be kept; nothing was changed then
   */
  public boolean run() throws IOException {
    boolean isAllOwn = leaveOutForeign();
    boolean isReservationKnown = isReadable(() -> reservation = Reservation.open(own, ids));
    isReadable(() -> new MovesFile(own, ids).read());
    boolean mayHaveLost = !isReservationKnown || reservation.reserved() > 0;
    Loading loading = new Loading(own, keyspace, leases, mayHaveLost, attempts);
    CorruptJournalException damage = load(loading);
    for (CorruptJournalException snapshot : attempts.damages()) {
      out.accept(snapshot.getMessage());
      aside.add(snapshot.file());
    }
    // What took the place of a snapshot may miss what is kept in memory only.
    boolean mayMissMemory = mayHaveLost && !attempts.isFirst();
    if (damage != null || mayMissMemory || !isReservationKnown || !isAllOwn) {
      beginAnew(loading, damage, isReservationKnown ? reservation.reserved() : 0);
    }
    putAside();
    return !aside.isEmpty();
  }

  /**
   * Finds out whose folder it is, and does without the files of other stores.
   *
   * @return whether all files are the store's own that tell of its writes
   */
  private boolean leaveOutForeign() throws IOException {
    Owners owners = new Owners(storage);
    owners.requireNames();
    isReadable(() -> ids = MemberIds.kept(storage));
    boolean isAllOwn = true;
    for (CorruptJournalException foreign : owners.foreign(ids)) {
      out.accept(foreign.getMessage());
      aside.add(foreign.file());
      isAllOwn &= foreign.file().equals(MemberIds.FILE);
    }
    own = new Without(storage, Set.copyOf(aside));
    if (aside.contains(MemberIds.FILE) || !ids.isKnown()) {
      ids = new Owners(own).named();
    }
    return isAllOwn;
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private boolean isReadable(Reading reading) throws IOException {
    try {
      reading.read();
      return true;
    } catch (CorruptJournalException damage) {
      out.accept(damage.getMessage());
      aside.add(damage.file());
      return false;
    }
  }

  private CorruptJournalException load(Loading loading) throws IOException {
    try {
      loading.load();
      return null;
    } catch (CorruptJournalException damage) {
      if (!loading.hasSnapshot()) {
        throw loading.explained(damage);
      }
      out.accept(damage.getMessage());
      return damage;
    }
  }

  /** What is whole becomes a snapshot, in the place of all that there is. */
  private void beginAnew(Loading loading, CorruptJournalException damage, long reserved)
      throws IOException {
    long next = loading.log().next();
    DroppedFrames dropped = new DroppedFrames(own, next);
    if (damage != null || !own.list().equals(storage.list())) {
      out.accept("All writes up to revision %d are kept.".formatted(keyspace.revision()));
      dropped.tell(out);
    } else {
      dropped.tell(_ -> {});
    }
    Recovery recovery = new Recovery(keyspace);
    long seen = Math.max(Math.max(keyspace.revision(), reserved), dropped.newestRevision());
    recovery.revision(seen + SKIPPED_REVISIONS);
    recovery.compacted(keyspace.revision());
    String snapshot = write(firstUnused(Math.max(next, dropped.nextSequence())));
    out.accept(
        "New revisions begin above %d, so that no revision is used twice; watchers and caches read everything again."
            .formatted(keyspace.revision()));
    for (String name : storage.list()) {
      boolean isOfLog = Segment.isSegment(name) || Snapshots.isSnapshot(name);
      if (isOfLog && !name.equals(snapshot) || damage != null && name.equals(damage.file())) {
        aside.add(name);
      }
    }
  }

  /** A number that no frame has, nor any file. */
  private long firstUnused(long atLeast) throws IOException {
    long first = atLeast;
    for (String name : storage.list()) {
      if (Segment.isSegment(name)) {
        first = Math.max(first, Segment.firstSequence(name) + 1);
      } else if (Snapshots.isSnapshot(name)) {
        first = Math.max(first, Snapshots.firstSequence(name) + 1);
      }
    }
    try {
      first = Math.max(first, Acknowledged.read(storage) + 1);
    } catch (CorruptJournalException damage) {
      aside.add(damage.file()); // it was told already, if the log came to it
    }
    return first;
  }

  private String write(long nextSequence) throws IOException {
    RevisionPins pins = new RevisionPins();
    Snapshots.Plan plan =
        new Snapshots.Plan(keyspace.publish(), leases.states(), leases.latestMs(), nextSequence);
    pins.pin(Snapshots.pinned(plan));
    return new Snapshots(storage, ids, keyspace, pins, 0).writeFile(plan);
  }

  private void putAside() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : aside) {
      if (storage.list().contains(name)) {
        String to = asideName(name);
        storage.rename(name, to);
        names.add(to);
      }
    }
    if (!names.isEmpty()) {
      out.accept(
          "These files were renamed; delete them when you no longer need them: "
              + String.join(", ", names));
    }
  }

  private String asideName(String name) throws IOException {
    String to = name + ASIDE;
    for (int i = 2; storage.list().contains(to); i++) {
      to = name + "." + i + ASIDE;
    }
    return to;
  }
}
