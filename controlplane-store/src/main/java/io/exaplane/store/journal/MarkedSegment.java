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
 *  32  zeroes
 *  64  the frames, then zeroes to the end
 * </pre>
 */
final class MarkedSegment implements Segment {
  static final int START = 64;
  private static final String PARTIAL = "wal.partial";
  private static final long MAGIC = 0x4558415741_4C0002L;
  private static final int HEADER_BYTES = 32;
  private static final int CHECKED_BYTES = 28;
  private static final int LEAST_BYTES = 64 << 10;
  private static final int PIECE_BYTES = 1 << 20;

  private final StoredFile file;
  private final long bytes;
  private final int salt;
  private final CorruptJournalException damage;
  private final LogFrames frames = new LogFrames();
  private final ByteBuffer header = ByteBuffer.allocate(LogFrames.HEADER_BYTES);
  private ByteBuffer frame = ByteBuffer.allocate(LEAST_BYTES);

  private MarkedSegment(StoredFile file, long bytes, int salt, CorruptJournalException damage) {
    this.damage = damage;
    this.file = file;
    this.bytes = bytes;
    this.salt = salt;
  }

  /** Makes a segment of zeroes; durable on return, with its name. */
  static StoredFile create(Storage storage, long firstSequence, long bytes, int salt)
      throws IOException {
    StoredFile file = storage.create(PARTIAL, bytes);
    try {
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
      header.putLong(MAGIC).putLong(firstSequence).putLong(bytes).putInt(salt);
      file.write(0, header.putInt(checksum(header)).flip());
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
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    file.read(0, header);
    long first = Segment.firstSequence(name);
    boolean isWhole =
        !header.hasRemaining()
            && header.getLong(0) == MAGIC
            && header.getLong(8) == first
            && header.getInt(CHECKED_BYTES) == checksum(header);
    if (!isWhole) {
      return new MarkedSegment(file, bytes, saltOf(file, bytes, first), headerChanged(name));
    }
    long made = header.getLong(16);
    return new MarkedSegment(
        file, bytes, header.getInt(24), made == bytes ? null : sizeChanged(name, bytes, made));
  }

  private static CorruptJournalException headerChanged(String name) {
    return new CorruptJournalException(
        name, 0, "the segment's first 32 bytes are not those that were written");
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
    MarkedSegment segment = new MarkedSegment(file, bytes, salt, null);
    return segment.read(START, first).state() == State.WHOLE ? salt : ~salt;
  }

  private static int checksum(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, CHECKED_BYTES));
    return (int) crc.getValue();
  }

  @Override
  public CorruptJournalException damage() {
    return damage;
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
      state = LogFrames.isTorn(frame, at) ? State.TORN : State.DAMAGED;
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

  @Override
  public void close() throws IOException {
    file.close();
  }
}
