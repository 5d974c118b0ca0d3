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
  private final boolean force;
  private final long segmentBytes;
  private long nextSegmentBytes;
  private StoredFile segment;
  private long position;
  private long capacity;
  private long nextSequence;
  private long bytes;

  /**
   * @param segmentBytes of the largest segments
   * @param bytesBefore bytes of the log as it was found
   * @param force whether a frame is durable when it was appended
   */
  LogWriter(
      Storage storage, boolean force, long nextSequence, long segmentBytes, long bytesBefore) {
    this.bytes = bytesBefore;
    this.storage = storage;
    this.force = force;
    this.nextSequence = nextSequence;
    this.segmentBytes = segmentBytes;
    this.nextSegmentBytes = Math.min(segmentBytes, FIRST_SEGMENT_BYTES);
  }

  /** Appends what the entries hold as one frame: all of it or nothing survives. */
  void append(Entries entries) throws IOException {
    ByteBuffer frame = entries.seal(nextSequence);
    int size = frame.remaining();
    try {
      if (segment == null || position + size > capacity) {
        roll(size);
      }
      segment.write(position, frame);
      if (force) {
        segment.force();
      }
    } catch (IOException e) {
      // What is in the segment now is not known; the same frame goes to another one.
      closeSegment();
      throw e;
    }
    position += size;
    bytes += size;
    nextSequence++;
  }

  private void roll(int atLeast) throws IOException {
    StoredFile full = segment;
    segment = null;
    if (full != null) {
      if (!force) {
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
    if (segment != null) {
      segment.force();
    }
  }

  @Override
  public void close() throws IOException {
    closeSegment();
  }
}
