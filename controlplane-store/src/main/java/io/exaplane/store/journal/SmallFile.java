// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of a few numbers that is replaced whole: after a crash it is the old one or the new one.
 */
record SmallFile(Storage storage, String name, int numbers) {
  private static final String PARTIAL = ".partial";

  /**
   * The numbers in the file, or null if there is none.
   *
   * @throws CorruptJournalException if they are not what was written
   */
  long[] read() throws IOException {
    if (!storage.list().contains(name)) {
      return null;
    }
    try (StoredFile file = storage.open(name)) {
      ByteBuffer payload = new FrameReader().read(file, file.size(), 0, 0);
      if (payload == null || payload.remaining() != numbers * Long.BYTES) {
        throw new CorruptJournalException(
            name, 0, "the file does not hold the %d numbers that were written".formatted(numbers));
      }
      long[] content = new long[numbers];
      payload.asLongBuffer().get(content);
      return content;
    }
  }

  /** The same; damage is told with what to do. */
  long[] readOrExplain() throws IOException {
    try {
      return read();
    } catch (CorruptJournalException damage) {
      throw damage.with(
          "Restore a backup with 'store restore', or start once with --repair, which puts the file"
              + " aside");
    }
  }

  /** Replaces the file; durable on return. */
  void write(long... content) throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(Frames.size(numbers * Long.BYTES)).position(Frames.HEADER_BYTES);
    for (long number : content) {
      frame.putLong(number);
    }
    Frames.seal(frame, 0);
    try (StoredFile file = storage.create(name + PARTIAL, 0)) {
      file.write(0, frame);
      file.force();
    }
    storage.rename(name + PARTIAL, name);
  }
}
