// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The revision up to which a store that may lose writes has perhaps shown revisions. It is durable
 * before one of them is used, so that none is used twice.
 */
final class Reservation {
  private static final String NAME = "revision-reserved";
  private static final String PARTIAL = "revision-reserved.partial";
  private static final long AHEAD = 10_000_000;

  private final Storage storage;
  private long reserved;

  private Reservation(Storage storage, long reserved) {
    this.storage = storage;
    this.reserved = reserved;
  }

  /** Reads what was reserved before, 0 if nothing was. */
  static Reservation open(Storage storage) throws IOException {
    if (!storage.list().contains(NAME)) {
      return new Reservation(storage, 0);
    }
    try (StoredFile file = storage.open(NAME)) {
      ByteBuffer payload = Frames.read(file, file.size(), 0, 0);
      if (payload == null || payload.remaining() != Long.BYTES) {
        throw new CorruptJournalException(NAME, 0, "it holds no revision");
      }
      return new Reservation(storage, payload.getLong());
    }
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
    ByteBuffer frame = ByteBuffer.allocate(64).position(Frames.HEADER_BYTES);
    frame.putLong(revision);
    Frames.seal(frame, 0);
    try (StoredFile file = storage.create(PARTIAL, 0)) {
      file.write(0, frame);
      file.force();
    }
    storage.rename(PARTIAL, NAME);
    reserved = revision;
  }
}
