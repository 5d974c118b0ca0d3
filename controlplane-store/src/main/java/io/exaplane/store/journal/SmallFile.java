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
 * @param numbers how many; {@link #BYTES} if the file has bytes instead, of any number
 * @param owner who writes the file; {@link MemberIds#NONE} is not named in it
 */
record SmallFile(Storage storage, String name, int numbers, MemberIds owner) {
  /** Instead of a number of numbers. */
  static final int BYTES = -1;

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
    byte[] content = readBytes();
    return content == null ? null : numbers(ByteBuffer.wrap(content));
  }

  /** The same of a file of bytes. */
  byte[] readBytes() throws IOException {
    if (!storage.list().contains(name)) {
      return null;
    }
    try (StoredFile file = storage.open(name)) {
      byte[] content = content(file);
      requireOwner(file, content.length);
      return content;
    }
  }

  /** The id of the cluster whose store wrote the file; 0 if the file, if any, does not tell. */
  long writtenBy() throws IOException {
    if (!storage.list().contains(name)) {
      return 0;
    }
    try (StoredFile file = storage.open(name)) {
      return requireOwner(file, numbers == BYTES ? content(file).length : numbers * Long.BYTES);
    }
  }

  private byte[] content(StoredFile file) throws IOException {
    return payload(file, 0, 0, numbers == BYTES ? BYTES : numbers * Long.BYTES);
  }

  private long requireOwner(StoredFile file, int contentBytes) throws IOException {
    int second = Frames.size(contentBytes);
    return file.size() <= second
        ? 0
        : numbers(ByteBuffer.wrap(payload(file, second, 1, Long.BYTES)))[0];
  }

  private byte[] payload(StoredFile file, long at, long sequence, int bytes) throws IOException {
    ByteBuffer payload = new FrameReader().read(file, file.size(), at, sequence);
    if (payload == null || bytes != BYTES && payload.remaining() != bytes) {
      throw new CorruptJournalException(
          name,
          at,
          bytes == BYTES
              ? "the file does not hold what was written"
              : "the file does not hold the %d numbers that were written"
                  .formatted(bytes / Long.BYTES));
    }
    byte[] content = new byte[payload.remaining()];
    payload.get(content);
    return content;
  }

  private static long[] numbers(ByteBuffer from) {
    long[] content = new long[from.remaining() / Long.BYTES];
    from.asLongBuffer().get(content);
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
    writeBytes(bytes(content));
  }

  /** The same with bytes, one at least. */
  void writeBytes(byte[] content) throws IOException {
    ByteBuffer first = frame(0, content);
    int second = first.remaining();
    try (StoredFile file = storage.create(name + PARTIAL, 0)) {
      file.write(0, first);
      if (owner.isKnown()) {
        file.write(second, frame(1, bytes(owner.clusterId())));
      }
      file.force();
    }
    storage.rename(name + PARTIAL, name);
  }

  private static byte[] bytes(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return bytes.array();
  }

  private static ByteBuffer frame(long sequence, byte[] content) {
    ByteBuffer frame =
        ByteBuffer.allocate(Frames.size(content.length)).position(Frames.HEADER_BYTES);
    frame.put(content);
    Frames.seal(frame, sequence);
    return frame;
  }
}
