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

  private Reservation(SmallFile file, long reserved) {
    this.file = file;
    this.reserved = reserved;
  }

  /** Reads what was reserved before, 0 if nothing was. */
  static Reservation open(Storage storage) throws IOException {
    SmallFile file = new SmallFile(storage, "revision-reserved", 1);
    long[] content = file.read();
    return new Reservation(file, content == null ? 0 : content[0]);
  }

  long reserved() {
    return reserved;
  }

  /** Sees to it that the revision may be shown. */
  void require(long revision) throws IOException {
    if (revision > reserved) {
      write(revision + AHEAD);
    }
  }

  /** Nothing above the revision was shown, and all up to it is durable. */
  void exactly(long revision) throws IOException {
    write(revision);
  }

  private void write(long revision) throws IOException {
    file.write(revision);
    reserved = revision;
  }
}
