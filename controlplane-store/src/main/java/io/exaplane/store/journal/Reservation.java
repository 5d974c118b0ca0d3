// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The revision up to which a store that may lose writes has perhaps shown revisions, and the keys
 * whose writes it may lose. It is durable before one of them is used, so that none is used twice.
 */
final class Reservation {
  static final String FILE = "revision-reserved";
  private static final long AHEAD = 10_000_000;

  private final SmallFile file;
  private long reserved;
  private Losses losses;

  /**
   * What a restart may lose.
   *
   * @param marks bit 0: whether there are keys that are kept in memory only, however well the store
   *     ends; the others: a hash of which keys may be lost, 0 if any may. An earlier version of the
   *     store takes every number but 0 for bit 0
   */
  record Losses(long marks) {
    private static final long ALWAYS = 1;

    /** Those of a store with such keys. */
    static Losses of(KeyClasses classes) {
      String lossy = classes.lossyKeys();
      long hash = 0xcbf29ce484222325L; // FNV-1a
      for (byte each : lossy.getBytes(StandardCharsets.UTF_8)) {
        hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
      }
      long which = lossy.isEmpty() ? 0 : hash << 1 | 2;
      return new Losses(which | (classes.weakest() == Durability.MEMORY ? ALWAYS : 0));
    }

    /** Whether there are keys that are kept in memory only. */
    boolean areCertain() {
      return (marks & ALWAYS) != 0;
    }

    /** Whether some keys may be lost, and others not. */
    boolean areOfSome() {
      return (marks & ~ALWAYS) != 0;
    }

    /** Whether the keys are the same. */
    boolean areOfSame(Losses other) {
      return (marks & ~ALWAYS) == (other.marks & ~ALWAYS);
    }
  }

  private Reservation(SmallFile file, long reserved, Losses losses) {
    this.file = file;
    this.reserved = reserved;
    this.losses = losses;
  }

  static SmallFile file(Storage storage, MemberIds ids) {
    return new SmallFile(storage, FILE, 2, ids);
  }

  /**
   * Reads what was reserved before, 0 if nothing was.
   *
   * @param ids of the store
   */
  static Reservation open(Storage storage, MemberIds ids) throws IOException {
    SmallFile file = file(storage, ids);
    long[] content = file.readOrExplain();
    return content == null
        ? new Reservation(file, 0, new Losses(0))
        : new Reservation(file, content[0], new Losses(content[1]));
  }

  long reserved() {
    return reserved;
  }

  /** What a restart may have lost. */
  Losses losses() {
    return losses;
  }

  /** Sees to it that the revision may be shown by a store that may lose these. */
  void require(long revision, Losses now) throws IOException {
    if (revision > reserved || !now.equals(losses)) {
      write(Math.max(reserved, revision + AHEAD), now);
    }
  }

  /** Nothing above the revision was shown, and all up to it is durable that is kept at all. */
  void exactly(long revision) throws IOException {
    write(revision, losses);
  }

  /** From now on the log tells of every revision. */
  void end() throws IOException {
    write(0, new Losses(0));
  }

  private void write(long revision, Losses now) throws IOException {
    file.write(revision, now.marks());
    reserved = revision;
    losses = now;
  }
}
