// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Appends frames to the log's segments. A write that failed may be tried again. One thread. */
final class LogWriter implements AutoCloseable {
  /** Segments double from here, so that a small store takes little of the disk. */
  private static final long FIRST_SEGMENT_BYTES = 1L << 20;

  private final Storage storage;
  private final long segmentBytes;
  private long nextSegmentBytes;
  private StoredFile segment;
  private long position;
  private long capacity;
  private boolean isForced = true;
  private long lastDurable;
  private long nextSequence;
  private long bytes;

  /**
   * @param lastDurable number of the last durable frame
   * @param segmentBytes of the largest segments
   * @param bytesBefore bytes of the log as it was found
   */
  LogWriter(
      Storage storage, long nextSequence, long lastDurable, long segmentBytes, long bytesBefore) {
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
    ByteBuffer frame = entries.seal(nextSequence, durable, lastDurable);
    int size = frame.remaining();
    try {
      if (segment == null || position + size > capacity) {
        roll(size);
      }
      segment.write(position, frame);
      if (durable) {
        segment.force();
      }
      isForced = durable;
    } catch (IOException e) {
      // What is in the segment now is not known; the same frame goes to another one.
      closeSegment();
      throw e;
    }
    position += size;
    bytes += size;
    lastDurable = durable ? nextSequence : lastDurable;
    nextSequence++;
  }

  private void roll(int atLeast) throws IOException {
    StoredFile full = segment;
    segment = null;
    if (full != null) {
      if (!isForced) {
        full.force();
      }
      full.close();
    }
    capacity = Math.max(nextSegmentBytes, atLeast);
    try {
      segment = storage.create(LogReader.name(nextSequence), capacity);
      nextSegmentBytes = Math.min(segmentBytes, nextSegmentBytes * 2);
    } catch (IOException e) {
      // Perhaps there is room for this frame alone.
      nextSegmentBytes = FIRST_SEGMENT_BYTES;
      capacity = atLeast;
      segment = storage.create(LogReader.name(nextSequence), capacity);
    }
    position = 0;
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
    if (segment != null && !isForced) {
      segment.force();
      isForced = true;
    }
  }

  @Override
  public void close() throws IOException {
    closeSegment();
  }
}
