// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A segment of {@link LogFrames}. It has its name only when all of it is durable, so one of another
 * length, or without its header, was changed since.
 *
 * <pre>
 *   0  long  {@link #MAGIC}
 *   8  long  number of the first frame
 *  16  long  bytes of the file
 *  24  int   salt of the frames' headers
 *  28  int   CRC-32C of the 28 bytes before
 *  32  long  id of the cluster whose store wrote the segment
 *  40  long  id of that store
 *  48  int   CRC-32C of these ids
 *  52  zeroes
 *  64  the frames, then zeroes to the end
 * </pre>
 *
 * Stores of before left the ids zero, and do not look at them.
 */
final class MarkedSegment implements Segment {
  static final int START = 64;
  private static final String PARTIAL = "wal.partial";
  private static final long MAGIC = 0x4558415741_4C0002L;
  private static final int HEADER_BYTES = 32;
  private static final int CHECKED_BYTES = 28;
  private static final int IDS = 32;
  private static final int IDS_BYTES = 16;
  private static final int LEAST_BYTES = 64 << 10;
  private static final int PIECE_BYTES = 1 << 20;

  private final StoredFile file;
  private final long bytes;
  private final int salt;
  private final MemberIds owner;
  private final CorruptJournalException damage;
  private final LogFrames frames = new LogFrames();
  private final ByteBuffer header = ByteBuffer.allocate(LogFrames.HEADER_BYTES);
  private ByteBuffer frame = ByteBuffer.allocate(LEAST_BYTES);

  private MarkedSegment(
      StoredFile file, long bytes, int salt, MemberIds owner, CorruptJournalException damage) {
    this.owner = owner;
    this.damage = damage;
    this.file = file;
    this.bytes = bytes;
    this.salt = salt;
  }

  /** Makes a segment of zeroes; durable on return, with its name. */
  static StoredFile create(Storage storage, MemberIds ids, long firstSequence, long bytes, int salt)
      throws IOException {
    StoredFile file = storage.create(PARTIAL, bytes);
    try {
      ByteBuffer header = ByteBuffer.allocate(START);
      header.putLong(MAGIC).putLong(firstSequence).putLong(bytes).putInt(salt);
      header.putInt(checksum(header, 0, CHECKED_BYTES));
      if (ids.isKnown()) {
        header.putLong(ids.clusterId()).putLong(ids.memberId());
        header.putInt(checksum(header, IDS, IDS_BYTES));
      }
      file.write(0, header.clear());
      file.force();
      storage.rename(PARTIAL, Segment.name(firstSequence));
      return file;
    } catch (IOException e) {
      file.close();
      storage.delete(PARTIAL);
      throw e;
    }
  }

  /** Deletes a segment that was not made to its end. */
  static void deletePartial(Storage storage) throws IOException {
    if (storage.list().contains(PARTIAL)) {
      storage.delete(PARTIAL);
    }
  }

  static MarkedSegment of(String name, StoredFile file) throws IOException {
    long bytes = file.size();
    ByteBuffer header = ByteBuffer.allocate(START);
    file.read(0, header);
    long first = Segment.firstSequence(name);
    boolean isWhole =
        header.position() >= HEADER_BYTES
            && header.getLong(0) == MAGIC
            && header.getLong(8) == first
            && header.getInt(CHECKED_BYTES) == checksum(header, 0, CHECKED_BYTES);
    MemberIds owner = owner(header);
    if (!isWhole) {
      return new MarkedSegment(
          file, bytes, saltOf(file, bytes, first), MemberIds.NONE, headerChanged(name, 0));
    }
    long made = header.getLong(16);
    CorruptJournalException damage = null;
    if (made != bytes) {
      damage = sizeChanged(name, bytes, made);
    } else if (owner == null) {
      damage = headerChanged(name, IDS);
    }
    return new MarkedSegment(
        file, bytes, header.getInt(24), owner == null ? MemberIds.NONE : owner, damage);
  }

  /** Who wrote the segment, or null if that was changed. */
  private static MemberIds owner(ByteBuffer header) {
    if (isZero(header)) {
      return MemberIds.NONE;
    }
    return header.getInt(IDS + IDS_BYTES) == checksum(header, IDS, IDS_BYTES)
        ? new MemberIds(header.getLong(IDS), header.getLong(IDS + Long.BYTES))
        : null;
  }

  private static boolean isZero(ByteBuffer header) {
    for (int at = IDS; at < START; at += Long.BYTES) {
      if (header.getLong(at) != 0) {
        return false;
      }
    }
    return true;
  }

  private static CorruptJournalException headerChanged(String name, int at) {
    return new CorruptJournalException(
        name, at, "the %d bytes there are not those that were written".formatted(HEADER_BYTES));
  }

  private static CorruptJournalException sizeChanged(String name, long bytes, long made) {
    return new CorruptJournalException(
        name,
        Math.min(bytes, made),
        "the file has %d bytes and was made with %d".formatted(bytes, made));
  }

  /** The salt as the first frame tells it, for who wants to read what there is all the same. */
  private static int saltOf(StoredFile file, long bytes, long first) throws IOException {
    if (bytes < START + LogFrames.HEADER_BYTES) {
      return 0;
    }
    ByteBuffer header = ByteBuffer.allocate(LogFrames.HEADER_BYTES);
    file.read(START, header);
    int salt = new LogFrames().saltOf(header);
    MarkedSegment segment = new MarkedSegment(file, bytes, salt, MemberIds.NONE, null);
    return segment.read(START, first).state() == State.WHOLE ? salt : ~salt;
  }

  private static int checksum(ByteBuffer header, int at, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(at, bytes));
    return (int) crc.getValue();
  }

  @Override
  public CorruptJournalException damage() {
    return damage;
  }

  @Override
  public MemberIds owner() {
    return owner;
  }

  @Override
  public long start() {
    return START;
  }

  @Override
  public Reading read(long at, long sequence) throws IOException {
    if (at + LogFrames.HEADER_BYTES > bytes) {
      return Reading.TORN;
    }
    file.read(at, header.clear());
    int payloadBytes = header.getInt(0);
    boolean isHeader = frames.isHeader(header, 0, salt) && header.getLong(8) == sequence;
    if (!isHeader && LogFrames.isUnwritten(header)) {
      return Reading.TORN;
    }
    int size = LogFrames.size(payloadBytes);
    if (!isHeader || payloadBytes > bytes - at || size > bytes - at) {
      return Reading.DAMAGED;
    }
    if (frame.capacity() < size) {
      frame = ByteBuffer.allocate(Frames.grown(frame.capacity(), size));
    }
    file.read(at, frame.clear().limit(size));
    frame.flip();
    boolean isWeak = LogFrames.isWeak(header);
    State state = State.WHOLE;
    if (frames.checksum(frame, payloadBytes) != header.getInt(4)) {
      // What comes behind a durable frame was written when that was acknowledged.
      boolean wasAcknowledged = !isWeak && isWrittenFrom(at + size);
      state = LogFrames.isTorn(frame, at) && !wasAcknowledged ? State.TORN : State.DAMAGED;
    }
    if (header.getLong(16) != 0) {
      LogFrames.xor(frame, header.getLong(16));
    }
    frame.limit(LogFrames.HEADER_BYTES + payloadBytes).position(LogFrames.HEADER_BYTES);
    return new Reading(state, frame, size, isWeak);
  }

  @Override
  public Found behind(long broken, long expected) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, bytes));
    for (long from = broken + LogFrames.ALIGNMENT; from < bytes; from += piece.capacity()) {
      file.read(from, piece.clear());
      int end = piece.position() - LogFrames.HEADER_BYTES;
      for (int at = 0; at <= end; at += LogFrames.ALIGNMENT) {
        if (piece.getInt(at) != 0
            && frames.isHeader(piece, at, salt)
            && piece.getLong(at + 8) > expected) {
          return new Found(from + at, piece.getLong(at + 8));
        }
      }
    }
    return null;
  }

  /** Whether anything was written from there on, where in zeroes a few bytes may have changed. */
  private boolean isWrittenFrom(long start) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, bytes));
    int marks = 0;
    for (long from = start;
        from < bytes && marks < LogFrames.LEAST_MARKS;
        from += piece.capacity()) {
      file.read(from, piece.clear());
      marks += LogFrames.marks(piece.flip());
    }
    return marks >= LogFrames.LEAST_MARKS;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
