// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Appends frames to the log's segments. A write that failed may be tried again. One thread. */
final class LogWriter implements AutoCloseable {
  /** Segments double from here, so that a small store takes little of the disk. */
  private static final long FIRST_SEGMENT_BYTES = 1L << 20;

  private final Storage storage;
  private final long segmentBytes;
  private final LongSupplier random;
  private final Acknowledged acknowledged;
  private BooleanSupplier roomMaker = () -> false;
  private long nextSegmentBytes;
  private final List<StoredFile> left = new ArrayList<>();
  private StoredFile segment;
  private final MemberIds ids;
  private int salt;
  private boolean isNoted;
  private long position;
  private long capacity;
  private boolean isForced = true;
  private long lastDurable;
  private long nextSequence;
  private long bytes;

  /**
   * @param ids of the store
   * @param lastDurable number of the last durable frame
   * @param segmentBytes of the largest segments
   * @param bytesBefore bytes of the log as it was found
   * @param random for what nobody who writes values may know
   */
  LogWriter(
      Storage storage,
      MemberIds ids,
      long nextSequence,
      long lastDurable,
      long segmentBytes,
      long bytesBefore,
      LongSupplier random)
      throws IOException {
    this.random = random;
    this.acknowledged = new Acknowledged(storage, ids);
    this.ids = ids;
    this.lastDurable = lastDurable;
    this.bytes = bytesBefore;
    this.storage = storage;
    this.nextSequence = nextSequence;
    this.segmentBytes = segmentBytes;
    this.nextSegmentBytes = Math.min(segmentBytes, FIRST_SEGMENT_BYTES);
  }

  /**
   * Appends what the entries hold as one frame: all of it or nothing survives.
   *
   * @param durable whether it is durable, with all before it, when this returns
   */
  void append(Entries entries, boolean durable) throws IOException {
    int least = entries.frameBytes();
    int size;
    try {
      if (segment == null || position + least > capacity) {
        roll(least);
      }
      // A segment has whole sectors, so there is room for what fills the last one.
      ByteBuffer frame = entries.seal(nextSequence, durable, lastDurable, salt, position);
      size = frame.remaining();
      segment.write(position, frame);
      if (durable) {
        forceLeft();
        segment.force();
        noteFirst();
      }
      isForced = durable;
    } catch (IOException e) {
      // What is in the segment now is not known; the same frame goes to another one.
      leaveSegment();
      throw e;
    }
    position += size;
    bytes += size;
    lastDurable = durable ? nextSequence : lastDurable;
    nextSequence++;
  }

  /** Who is asked for room on the disk when there is none. */
  void roomMaker(BooleanSupplier maker) {
    roomMaker = maker;
  }

  /** The first durable frame of a segment is noted, so that the loss of the segment shows. */
  private void noteFirst() {
    if (!isNoted) {
      try {
        acknowledged.note(nextSequence);
        isNoted = true;
      } catch (IOException e) {
        // The frame is durable all the same; the next one is noted then.
      }
    }
  }

  private void roll(int atLeast) throws IOException {
    if (segment != null) {
      if (!isForced) {
        segment.force();
      }
      closeSegment();
    }
    isForced = true;
    isNoted = false;
    salt = (int) random.getAsLong();
    try {
      create(Math.max(nextSegmentBytes, MarkedSegment.START + atLeast));
      nextSegmentBytes = Math.min(segmentBytes, nextSegmentBytes * 2);
    } catch (IOException e) {
      // Perhaps there is room for this frame alone.
      roomMaker.getAsBoolean();
      nextSegmentBytes = FIRST_SEGMENT_BYTES;
      create(MarkedSegment.START + atLeast);
    }
    position = MarkedSegment.START;
  }

  private void create(long bytes) throws IOException {
    capacity = (bytes + LogFrames.SECTOR_BYTES - 1) & -LogFrames.SECTOR_BYTES;
    segment = MarkedSegment.create(storage, ids, nextSequence, capacity, salt);
  }

  /** Whatever comes before the next durable frame is forced with it, wherever it is. */
  private void leaveSegment() throws IOException {
    if (segment != null && !isForced) {
      left.add(segment);
      segment = null;
    }
    closeSegment();
  }

  private void forceLeft() throws IOException {
    while (!left.isEmpty()) {
      left.getLast().force();
      left.removeLast().close();
    }
  }

  /** Ends the segment, so that all of it is before what comes next. */
  void endSegment() throws IOException {
    force();
    closeSegment();
  }

  private void closeSegment() throws IOException {
    StoredFile open = segment;
    segment = null;
    if (open != null) {
      open.close();
    }
  }

  /** Number of the frame that is appended next. */
  long nextSequence() {
    return nextSequence;
  }

  /** Bytes appended since the count was last taken back. */
  long bytes() {
    return bytes;
  }

  /** Takes bytes back that a snapshot made superfluous. */
  void takeBack(long superfluous) {
    bytes -= superfluous;
  }

  /** Makes durable what was appended. */
  void force() throws IOException {
    forceLeft();
    if (segment != null && !isForced) {
      segment.force();
      isForced = true;
    }
  }

  /** Ends in good order: what is durable is noted. */
  @Override
  public void close() throws IOException {
    closeSegment();
    for (StoredFile file : left) {
      file.close();
    }
    acknowledged.note(lastDurable);
  }
}
