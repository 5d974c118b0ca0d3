// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the log's segments from a sequence number on. A frame that is not whole at the very end was
 * being written when the store stopped, and nobody was told that it was done: it is left out. One
 * that is followed by others means that the files were damaged.
 */
final class LogReader {
  private static final String PREFIX = "wal-";

  private final Storage storage;
  private final boolean mayHaveLost;
  private long bytesRead;

  /**
   * @param mayHaveLost whether the log was written without making frames durable one by one, so
   *     that any of the newest may be missing
   */
  LogReader(Storage storage, boolean mayHaveLost) {
    this.storage = storage;
    this.mayHaveLost = mayHaveLost;
  }

  /** Name of the segment whose first frame has the number. */
  static String name(long firstSequence) {
    return PREFIX + "%020d".formatted(firstSequence);
  }

  static boolean isSegment(String name) {
    return name.startsWith(PREFIX);
  }

  static long firstSequence(String name) {
    return Long.parseLong(name.substring(PREFIX.length()));
  }

  /**
   * Hands over the payload of every frame.
   *
   * @param from number of the first frame that is wanted
   * @return number of the frame that comes next
   * @throws CorruptJournalException if a frame is missing that was once durable
   */
  long read(long from, Consumer<ByteBuffer> consumer) throws IOException {
    List<String> segments = segments();
    long next = from;
    for (int i = 0; i < segments.size(); i++) {
      boolean last = i == segments.size() - 1;
      // A frame that could not be written went to the next segment, with the same number.
      long end = last ? Long.MAX_VALUE : firstSequence(segments.get(i + 1));
      long first = firstSequence(segments.get(i));
      if (end <= from) {
        continue;
      }
      if (first > next) {
        if (mayHaveLost) {
          return next;
        }
        throw new CorruptJournalException(
            segments.get(i), 0, "frames %d to %d before it are missing".formatted(next, first - 1));
      }
      next = readSegment(segments.get(i), first, end, next, last, consumer);
    }
    return next;
  }

  /** Bytes of the frames that were handed over. */
  long bytesRead() {
    return bytesRead;
  }

  /** Makes durable what was found, which the store that wrote it did not see to. */
  void force() throws IOException {
    for (String segment : segments()) {
      try (StoredFile file = storage.open(segment)) {
        file.force();
      }
    }
  }

  /**
   * Deletes the segments that lie behind frames that were lost. The one that begins with the next
   * frame stays, even if it is empty: it says that a frame of that number in the segment before
   * does not count.
   */
  void deleteBehind(long nextSequence) throws IOException {
    for (String segment : segments()) {
      if (mayHaveLost && firstSequence(segment) > nextSequence) {
        storage.delete(segment);
      }
    }
  }

  private List<String> segments() throws IOException {
    return storage.list().stream().filter(LogReader::isSegment).toList();
  }

  private long readSegment(
      String name, long first, long end, long wanted, boolean last, Consumer<ByteBuffer> consumer)
      throws IOException {
    try (StoredFile file = storage.open(name)) {
      long bytes = file.size();
      long sequence = first;
      long at = 0;
      while (sequence < end) {
        ByteBuffer payload = Frames.read(file, bytes, at, sequence);
        if (payload == null) {
          break;
        }
        int size = Frames.size(payload.remaining());
        at += size;
        if (sequence >= wanted) {
          bytesRead += size;
          consumer.accept(payload);
        }
        sequence++;
      }
      if (last && !mayHaveLost) {
        requireNothingBehind(file, name, bytes, at, sequence);
      }
      return Math.max(sequence, wanted);
    }
  }

  /** A later frame behind a broken one: then the broken one was whole once. */
  private static void requireNothingBehind(
      StoredFile file, String name, long bytes, long broken, long expected) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate((int) (bytes - broken));
    file.read(broken, rest);
    for (int at = Frames.ALIGNMENT; at + Frames.HEADER_BYTES <= rest.capacity(); at += 8) {
      long sequence = rest.getLong(at + 8);
      boolean plausible = sequence > expected && sequence - expected < rest.capacity();
      if (rest.getInt(at) > 0
          && plausible
          && Frames.read(file, bytes, broken + at, sequence) != null) {
        throw new CorruptJournalException(
            name, broken, "frame %d is broken, but frame %d follows".formatted(expected, sequence));
      }
    }
  }
}
