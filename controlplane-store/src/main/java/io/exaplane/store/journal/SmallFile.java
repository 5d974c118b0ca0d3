// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A file of a few numbers that is replaced whole: after a crash it is the old one or the new one. A
 * first frame has the numbers, a second one the cluster's id of the store that wrote it. A store of
 * before wrote the first alone, and reads no more than that.
 *
 * @param owner who writes the file; {@link MemberIds#NONE} is not named in it
 */
record SmallFile(Storage storage, String name, int numbers, MemberIds owner) {
  private static final String PARTIAL = ".partial";

  /** A file that is only read. */
  SmallFile(Storage storage, String name, int numbers) {
    this(storage, name, numbers, MemberIds.NONE);
  }

  /** Deletes what is left of a file that was not written to its end. */
  static void deletePartial(Storage storage, String... names) throws IOException {
    List<String> files = storage.list();
    for (String name : names) {
      if (files.contains(name + PARTIAL)) {
        storage.delete(name + PARTIAL);
      }
    }
  }

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
      long[] content = numbers(file, 0, 0, numbers);
      requireOwner(file);
      return content;
    }
  }

  /** The id of the cluster whose store wrote the file; 0 if the file, if any, does not tell. */
  long writtenBy() throws IOException {
    if (!storage.list().contains(name)) {
      return 0;
    }
    try (StoredFile file = storage.open(name)) {
      return requireOwner(file);
    }
  }

  private long requireOwner(StoredFile file) throws IOException {
    int second = Frames.size(numbers * Long.BYTES);
    return file.size() <= second ? 0 : numbers(file, second, 1, 1)[0];
  }

  private long[] numbers(StoredFile file, long at, long sequence, int count) throws IOException {
    ByteBuffer payload = new FrameReader().read(file, file.size(), at, sequence);
    if (payload == null || payload.remaining() != count * Long.BYTES) {
      throw new CorruptJournalException(
          name, at, "the file does not hold the %d numbers that were written".formatted(count));
    }
    long[] content = new long[count];
    payload.asLongBuffer().get(content);
    return content;
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
    ByteBuffer numbers = frame(0, content);
    int second = numbers.remaining();
    try (StoredFile file = storage.create(name + PARTIAL, 0)) {
      file.write(0, numbers);
      if (owner.isKnown()) {
        file.write(second, frame(1, owner.clusterId()));
      }
      file.force();
    }
    storage.rename(name + PARTIAL, name);
  }

  private static ByteBuffer frame(long sequence, long... content) {
    ByteBuffer frame =
        ByteBuffer.allocate(Frames.size(content.length * Long.BYTES)).position(Frames.HEADER_BYTES);
    for (long number : content) {
      frame.putLong(number);
    }
    Frames.seal(frame, sequence);
    return frame;
  }
}
