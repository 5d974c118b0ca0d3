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
 * being written when the store stopped, and nobody was told that it was done: it is left out.
 * Frames that were not made durable one by one may be missing elsewhere, too. A durable one that is
 * missing, as the next durable one says, means that the files were damaged.
 */
final class LogReader {
  private static final String PREFIX = "wal-";
  private static final long NONE = -1;

  private final Storage storage;
  private final boolean mayHaveLost;
  private final FrameReader frames = new FrameReader();
  private long bytesRead;
  private long lastDurable = NONE;

  /**
   * @param mayHaveLost whether frames were written that were not made durable one by one
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
      if (first > next && !mayHaveLost) {
        throw new CorruptJournalException(
            segments.get(i), 0, "frames %d to %d before it are missing".formatted(next, first - 1));
      }
      next = readSegment(segments.get(i), first, end, Math.max(next, first), last, consumer);
    }
    return next;
  }

  /** Bytes of the frames that were handed over. */
  long bytesRead() {
    return bytesRead;
  }

  /** Number of the last durable frame that was read. */
  long lastDurable() {
    return lastDurable;
  }

  /** Deletes the segments whose frames all come before a number: all, if it is the next one. */
  void deleteBefore(long nextSequence) throws IOException {
    for (String segment : segments()) {
      if (firstSequence(segment) < nextSequence) {
        storage.delete(segment);
      }
    }
  }

  /** Makes durable what was found, which the store that wrote it did not see to. */
  void force() throws IOException {
    for (String segment : segments()) {
      try (StoredFile file = storage.open(segment)) {
        file.force();
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
        ByteBuffer payload = frames.read(file, bytes, at, sequence);
        if (payload == null) {
          if (!last && !mayHaveLost) {
            break; // the next segment shows whether something is missing
          }
          Found found = findBehind(file, bytes, at, sequence);
          if (found == null || found.sequence() >= end) {
            break;
          }
          if (!mayHaveLost) {
            throw new CorruptJournalException(
                name,
                at,
                "frame %d is broken, but frame %d follows".formatted(sequence, found.sequence()));
          }
          at = found.at();
          sequence = found.sequence();
          continue;
        }
        int size = Frames.size(payload.remaining());
        boolean durable = payload.get() == Entries.DURABLE;
        requireLastDurable(payload.getLong(), wanted, sequence, name, at);
        lastDurable = durable ? sequence : lastDurable;
        at += size;
        if (sequence >= wanted) {
          bytesRead += size;
          consumer.accept(payload);
        }
        sequence++;
      }
      return Math.max(sequence, wanted);
    }
  }

  /** Every frame names the last durable one before it; what is in the snapshot may be gone. */
  private void requireLastDurable(long before, long wanted, long sequence, String segment, long at)
      throws CorruptJournalException {
    boolean missing = lastDurable == NONE ? before >= wanted : before != lastDurable;
    if (missing) {
      throw new CorruptJournalException(
          segment,
          at,
          "frame %d was durable before frame %d, and is missing".formatted(before, sequence));
    }
  }

  private record Found(long at, long sequence) {}

  /** The next whole frame behind a broken one. */
  private Found findBehind(StoredFile file, long bytes, long broken, long expected)
      throws IOException {
    ByteBuffer rest = ByteBuffer.allocate((int) (bytes - broken));
    file.read(broken, rest);
    for (int at = Frames.ALIGNMENT; at + Frames.HEADER_BYTES <= rest.capacity(); at += 8) {
      long sequence = rest.getLong(at + 8);
      boolean plausible = sequence > expected && sequence - expected < rest.capacity();
      ByteBuffer later =
          rest.getInt(at) > 0 && plausible ? frames.read(file, bytes, broken + at, sequence) : null;
      if (later != null) {
        return new Found(broken + at, sequence);
      }
    }
    return null;
  }
}
