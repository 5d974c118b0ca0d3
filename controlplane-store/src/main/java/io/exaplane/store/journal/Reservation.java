// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;

/**
 * The revision up to which a store that may lose writes has perhaps shown revisions. It is durable
 * before one of them is used, so that none is used twice.
 */
final class Reservation {
  private static final long AHEAD = 10_000_000;

  private final SmallFile file;
  private long reserved;
  private boolean lostSome;

  private Reservation(SmallFile file, long reserved, boolean lostSome) {
    this.file = file;
    this.reserved = reserved;
    this.lostSome = lostSome;
  }

  /** Reads what was reserved before, 0 if nothing was. */
  static Reservation open(Storage storage) throws IOException {
    SmallFile file = new SmallFile(storage, "revision-reserved", 2);
    long[] content = file.readOrExplain();
    return content == null
        ? new Reservation(file, 0, false)
        : new Reservation(file, content[0], content[1] != 0);
  }

  long reserved() {
    return reserved;
  }

  /** Whether there were keys that were kept in memory only, however well the store ended. */
  boolean lostSome() {
    return lostSome;
  }

  /**
   * Sees to it that the revision may be shown.
   *
   * @param losesSome whether there are keys that are kept in memory only
   */
  void require(long revision, boolean losesSome) throws IOException {
    if (revision > reserved || losesSome != lostSome) {
      write(Math.max(reserved, revision + AHEAD), losesSome);
    }
  }

  /** Nothing above the revision was shown, and all up to it is durable that is kept at all. */
  void exactly(long revision) throws IOException {
    write(revision, lostSome);
  }

  /** From now on the log tells of every revision. */
  void end() throws IOException {
    write(0, false);
  }

  private void write(long revision, boolean losesSome) throws IOException {
    file.write(revision, losesSome ? 1 : 0);
    reserved = revision;
    lostSome = losesSome;
  }
}
