// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.Recovery;
import io.exaplane.store.core.View;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import java.io.IOException;
import org.agrona.collections.LongArrayList;

/**
 * Where a store goes on from whose files were read: above every revision that was perhaps shown,
 * and with the history of those keys alone that lost nothing. Used once, by {@link Journal#open};
 * writes nothing.
 */
final class Restart {
  private final Keyspace keyspace;
  private final KeyClasses classes;
  private final Reservation reservation;
  private final boolean isNew;
  private final boolean fellBack;
  private final long loaded;
  private boolean jumped;
  private boolean losesSome;

  /**
   * @param isNew whether there were no files
   * @param fellBack whether a snapshot was done without
   */
  Restart(Keyspace keyspace, Reservation reservation, boolean isNew, boolean fellBack) {
    this.keyspace = keyspace;
    this.classes = keyspace.space().classes();
    this.reservation = reservation;
    this.isNew = isNew;
    this.fellBack = fellBack;
    this.loaded = keyspace.revision();
  }

  /**
   * Goes on above every revision that was perhaps shown, if writes may have been lost: what was
   * read or watched before of keys that may have been written must be read anew. Whoever saw
   * everything would go on with the next revision; so that one is compacted, too.
   *
   * @throws SeenRevisions.OlderDataException if the files are older than what is known of them
   */
  void goOn(SeenRevisions seen) throws IOException {
    long perhapsShown = Math.max(reservation.reserved(), isNew ? seen.floor() : 0);
    boolean mayMissMemory = reservation.reserved() > 0 && fellBack;
    jumped = perhapsShown > loaded || reservation.losses().areCertain() || mayMissMemory;
    long next = jumped ? Math.max(perhapsShown, loaded) + 2 : loaded;
    // Of a store that loses some keys, reservations say nothing of how old a copy of its files is.
    boolean tellsAll = !isNew && classes.strongest() == Durability.FSYNC;
    seen.check(tellsAll ? loaded : next);
    if (jumped) {
      Recovery recovery = new Recovery(keyspace);
      recovery.revision(next);
      if (losesSomeOnly()) {
        recovery.lostUpToNow();
      } else {
        recovery.compacted(next);
      }
    }
  }

  /** Whether the store lost nothing until now but what it may lose from now on, too. */
  private boolean losesSomeOnly() {
    Reservation.Losses losses = Reservation.Losses.of(classes);
    return losses.areOfSome() && losses.areOfSame(reservation.losses());
  }

  /** The newest revision that the files tell of. */
  long loaded() {
    return loaded;
  }

  /** Whether revisions were skipped. */
  boolean jumped() {
    return jumped;
  }

  /**
   * Keys of which the files tell although they are to be in memory only: of a time in which they
   * were not. What became of them since then may be lost.
   */
  LongArrayList outdated() {
    LongArrayList found = new LongArrayList();
    if (classes.weakest() == Durability.MEMORY && classes.strongest() != Durability.MEMORY) {
      RangeReader reader = new RangeReader(keyspace);
      View view = keyspace.working();
      reader.open(view, KeyRange.all(), view.revision());
      for (long record = reader.next(); record != 0; record = reader.next()) {
        if (keyspace.space().isInMemoryOnly(record)) {
          found.addLong(record);
        }
      }
      reader.close();
    }
    return found;
  }

  /** They were deleted. */
  void deletedOutdated() {
    losesSome = true;
    new Recovery(keyspace).lostUpToNow();
  }

  /** What is to be said of the start. */
  Recovered recovered() {
    boolean keepsNothing = classes.strongest() == Durability.MEMORY && classes.keys() == 0;
    if (isNew || jumped && keepsNothing) {
      return Recovered.EMPTY;
    }
    return jumped || losesSome ? Recovered.PARTIAL : Recovered.REPLAYED;
  }
}
