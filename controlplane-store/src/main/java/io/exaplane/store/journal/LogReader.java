// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.Segment.Found;
import io.exaplane.store.journal.Segment.Reading;
import io.exaplane.store.journal.Segment.State;
import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the log's segments from a sequence number on. A frame that is torn at the very end was
 * being written when the store stopped, and nobody was told that it was done: it is left out.
 * Frames that were not made durable one by one may be missing elsewhere, too. One that was durable
 * and is missing or was changed means that the files were damaged.
 */
final class LogReader {
  static final long NONE = -1;

  private final Storage storage;
  private final boolean mayHaveLost;
  private final long wholeBefore;
  private long from;
  private long bytesRead;
  private long lastDurable = NONE;
  private long next;

  /**
   * @param mayHaveLost whether frames were written that were not made durable one by one
   * @param wholeBefore number of a frame before which none is missing all the same; 0 for none
   */
  LogReader(Storage storage, boolean mayHaveLost, long wholeBefore) {
    this.storage = storage;
    this.mayHaveLost = mayHaveLost;
    this.wholeBefore = wholeBefore;
  }

  /**
   * Hands over the payload of every frame.
   *
   * @param from number of the first frame that is wanted
   * @return number of the frame that comes next
   * @throws CorruptJournalException if a frame is missing that was once durable
   */
  long read(long from, Consumer<ByteBuffer> consumer) throws IOException {
    List<String> segments = segments(storage);
    this.from = from;
    next = from;
    for (int i = 0; i < segments.size(); i++) {
      String name = segments.get(i);
      boolean last = i == segments.size() - 1;
      // A frame that could not be written went to the next segment, with the same number.
      long end = last ? Long.MAX_VALUE : Segment.firstSequence(segments.get(i + 1));
      long first = Segment.firstSequence(name);
      // The segment ended when the snapshot was begun that has its frames.
      boolean isInSnapshot = end <= from || Segment.isMarked(name) && first < from;
      if (isInSnapshot) {
        continue;
      }
      if (first > next && !mayMiss(next)) {
        throw new CorruptJournalException(
            name,
            0,
            "frames %d to %d, which come before it, were acknowledged and are missing"
                .formatted(next, first - 1));
      }
      next = readSegment(name, first, end, Math.max(next, first), last, consumer);
    }
    requireAcknowledged();
    return next;
  }

  /** Whether a frame may be missing although others follow. */
  private boolean mayMiss(long sequence) {
    return mayHaveLost && sequence >= wholeBefore;
  }

  /** Bytes of the frames that were handed over. */
  long bytesRead() {
    return bytesRead;
  }

  /** Number of the frame that comes after those that were handed over. */
  long next() {
    return next;
  }

  /** Number of the last durable frame that was read. */
  long lastDurable() {
    return lastDurable;
  }

  /** Deletes the segments whose frames all come before a number: all, if it is the next one. */
  void deleteBefore(long nextSequence) throws IOException {
    for (String segment : segments(storage)) {
      if (Segment.firstSequence(segment) < nextSequence) {
        storage.delete(segment);
      }
    }
  }

  /** Makes durable what was found, which the store that wrote it did not see to. */
  static void force(Storage storage) throws IOException {
    for (String segment : segments(storage)) {
      try (StoredFile file = storage.open(segment)) {
        file.force();
      }
    }
  }

  /** Names of the segments, in order. */
  static List<String> segments(Storage storage) throws IOException {
    return storage.list().stream().filter(Segment::isSegment).toList();
  }

  private long readSegment(
      String name, long first, long end, long wanted, boolean last, Consumer<ByteBuffer> consumer)
      throws IOException {
    try (Segment segment = Segment.open(storage, name)) {
      long sequence = first;
      long at = segment.start();
      while (sequence < end) {
        Reading frame = segment.read(at, sequence);
        if (frame.state() == State.WHOLE) {
          take(frame, name, at, sequence, wanted, consumer);
          at += frame.size();
          sequence++;
          continue;
        }
        requireWhole(segment);
        requireTorn(frame, name, at, sequence);
        if (!last && !mayMiss(sequence)) {
          break; // the next segment shows that something is missing
        }
        Found found = segment.behind(at, sequence);
        if (found == null || found.sequence() >= end) {
          break;
        }
        if (!mayMiss(sequence)) {
          throw new CorruptJournalException(
              name,
              at,
              "frame %d was acknowledged and can't be read, but frame %d behind it can"
                  .formatted(sequence, found.sequence()));
        }
        at = found.at();
        sequence = found.sequence();
      }
      requireWhole(segment);
      return Math.max(sequence, wanted);
    }
  }

  private void take(
      Reading frame,
      String segment,
      long at,
      long sequence,
      long wanted,
      Consumer<ByteBuffer> consumer)
      throws IOException {
    ByteBuffer payload = frame.payload();
    boolean durable = payload.get() == Entries.DURABLE;
    requireLastDurable(payload.getLong(), sequence, segment, at);
    lastDurable = durable ? sequence : lastDurable;
    if (sequence >= wanted) {
      next = sequence + 1;
      bytesRead += frame.size();
      consumer.accept(payload);
    }
  }

  private static void requireWhole(Segment segment) throws CorruptJournalException {
    if (segment.damage() != null) {
      throw segment.damage();
    }
  }

  private void requireTorn(Reading frame, String segment, long at, long sequence)
      throws CorruptJournalException {
    boolean mayGo = frame.isWeak() && mayMiss(sequence);
    if (frame.state() == State.DAMAGED && !mayGo) {
      throw new CorruptJournalException(
          segment,
          at,
          "frame %d was written to its end, and its bytes have changed since".formatted(sequence));
    }
  }

  /**
   * Every frame names the last durable one before it, as far as who wrote it knew; what is in the
   * snapshot may be gone.
   */
  private void requireLastDurable(long before, long sequence, String segment, long at)
      throws CorruptJournalException {
    if (before > lastDurable && before >= from) {
      throw new CorruptJournalException(
          segment,
          at,
          "frame %d was acknowledged before frame %d, and is missing".formatted(before, sequence));
    }
  }

  /** What was noted is the least that was acknowledged. */
  private void requireAcknowledged() throws IOException {
    long noted = Acknowledged.read(storage);
    if (noted >= from && noted > lastDurable) {
      List<String> segments = segments(storage);
      throw new CorruptJournalException(
          segments.isEmpty() ? "the log" : segments.getLast(),
          0,
          "frame %d was acknowledged and is missing".formatted(noted));
    }
  }
}
