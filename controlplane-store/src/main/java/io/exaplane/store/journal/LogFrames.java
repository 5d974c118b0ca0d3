// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The frames of the log, which tell a write that never ended from one that was changed later.
 *
 * <pre>
 *   0  int   bytes of the payload
 *   4  int   CRC-32C of the payload, as stored
 *   8  long  sequence number, one more than that of the frame before
 *  16  long  word that all behind the header is XORed with; 0 for none
 *  24  int   CRC-32C of the 24 bytes before and of the next one, XORed with the segment's salt
 *  28  byte  {@link #DURABLE} or {@link #WEAK}
 *  29  three bytes that are not 0
 *  32  the payload, then 8 to 39 bytes that are not 0, to the next multiple of 32
 * </pre>
 *
 * A disk writes sectors of 512 bytes (or several of them) whole or not at all, and a segment is all
 * zero before. So a sector that a crash kept from the disk shows as zeroes where the frame lies in
 * it, and a write that was broken off as zeroes at the frame's end. No frame is stored with zeroes
 * there: what the frame has in each sector, and its end, has {@link #LEAST_MARKS} bytes that are
 * not 0, if need be because of the word. A frame that is broken and has them all was therefore
 * whole once. The header lies in one sector. The salt is known to nobody who writes values: none
 * can look like a frame.
 *
 * <p>The payload of a durable frame is filled up to the end of a sector ({@link Entries#seal}), so
 * that a sector of the last frame has nothing of the frames before it, which were acknowledged. The
 * stores of before did not fill, and read what is filled.
 */
final class LogFrames {
  static final int HEADER_BYTES = 32;
  static final int ALIGNMENT = 32;
  static final int SECTOR_BYTES = 512;

  /** Bytes that are not 0, so that a byte that changes does not make zeroes of a sector. */
  static final int LEAST_MARKS = 4;

  /** Of a frame that is durable, with all before it, before more is written. */
  static final byte DURABLE = 1;

  /** Of any other frame. */
  static final byte WEAK = 2;

  private static final byte MARK = (byte) 0xA5;
  private static final int END_BYTES = 8;
  private static final int HEADER_CHECKSUM = 24;
  private static final int KIND = 28;

  private final CRC32C crc = new CRC32C();
  private ByteBuffer masked = ByteBuffer.allocate(0);

  static int size(int payloadBytes) {
    return (HEADER_BYTES + payloadBytes + END_BYTES + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Bytes of the largest payload of a frame of that size. */
  static int mostPayloadBytes(int size) {
    return size - HEADER_BYTES - END_BYTES;
  }

  /**
   * Makes a frame of a buffer whose first {@link #HEADER_BYTES} were left free; its position is at
   * the payload's end. The payload stays as it is.
   *
   * @param at where in the segment it will be
   * @return the frame, ready to be written, until the next call
   */
  ByteBuffer seal(ByteBuffer frame, long sequence, boolean durable, int salt, long at) {
    int payloadBytes = frame.position() - HEADER_BYTES;
    int size = size(payloadBytes);
    while (frame.position() < size) {
      frame.put(MARK);
    }
    frame.flip();
    long mask = mask(frame, at, sequence);
    ByteBuffer sealed = mask == 0 ? frame : masked(frame, mask);
    sealed
        .putInt(0, payloadBytes)
        .putInt(4, checksum(sealed, payloadBytes))
        .putLong(8, sequence)
        .putLong(16, mask)
        .put(KIND, durable ? DURABLE : WEAK)
        .putInt(HEADER_CHECKSUM, headerChecksum(sealed, 0, salt));
    for (int i = KIND + 1; i < HEADER_BYTES; i++) {
      sealed.put(i, MARK);
    }
    return sealed;
  }

  /** The first word with which what the frame has in each sector is not all but zero. */
  private static long mask(ByteBuffer frame, long at, long sequence) {
    long mask = 0;
    for (long attempt = 1; !isMarked(frame, at, mask); attempt++) {
      mask = mix(sequence + attempt * 0x9E3779B97F4A7C15L);
    }
    return mask;
  }

  private static boolean isMarked(ByteBuffer frame, long at, long mask) {
    // The header is in the first sector.
    for (int from = firstBoundary(at); from < frame.limit(); from += SECTOR_BYTES) {
      if (!isMarked(frame, from, Math.min(from + SECTOR_BYTES, frame.limit()), mask)) {
        return false;
      }
    }
    return isMarked(frame, frame.limit() - END_BYTES, frame.limit(), mask);
  }

  private static boolean isMarked(ByteBuffer frame, int from, int to, long mask) {
    int marks = 0;
    for (int i = from; i < to; i += Long.BYTES) {
      marks += marks(frame.getLong(i) ^ mask);
      if (marks >= LEAST_MARKS) {
        return true;
      }
    }
    return false;
  }

  /** Where, seen from a frame, the second of the sectors begins that it lies in. */
  private static int firstBoundary(long at) {
    return (int) (SECTOR_BYTES - at % SECTOR_BYTES);
  }

  /** Bytes of a word that are not 0. */
  private static int marks(long word) {
    long lowBits = 0x7F7F7F7F7F7F7F7FL;
    return Long.bitCount(((word & lowBits) + lowBits | word) & ~lowBits);
  }

  /** Bytes that are not 0, of whole words. */
  static int marks(ByteBuffer words) {
    int marks = 0;
    for (int i = 0; i + Long.BYTES <= words.limit(); i += Long.BYTES) {
      marks += marks(words.getLong(i));
    }
    return marks;
  }

  private static long mix(long number) {
    long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private ByteBuffer masked(ByteBuffer frame, long mask) {
    if (masked.capacity() < frame.limit()) {
      masked = ByteBuffer.allocate(frame.limit());
    }
    masked.clear().limit(frame.limit());
    masked.put(0, frame, 0, frame.limit());
    xor(masked, mask);
    return masked;
  }

  /** Puts the word onto a frame, or takes it away. */
  static void xor(ByteBuffer frame, long mask) {
    for (int i = HEADER_BYTES; i < frame.limit(); i += Long.BYTES) {
      frame.putLong(i, frame.getLong(i) ^ mask);
    }
  }

  int checksum(ByteBuffer frame, int payloadBytes) {
    crc.reset();
    crc.update(frame.slice(HEADER_BYTES, payloadBytes));
    return (int) crc.getValue();
  }

  private int headerChecksum(ByteBuffer in, int at, int salt) {
    crc.reset();
    crc.update(in.slice(at, HEADER_CHECKSUM));
    crc.update(in.get(at + KIND));
    return (int) crc.getValue() ^ salt;
  }

  /** Whether there is the header of a frame of the segment. */
  boolean isHeader(ByteBuffer in, int at, int salt) {
    byte kind = in.get(at + KIND);
    return (kind == DURABLE || kind == WEAK)
        && in.getInt(at) > 0
        && in.getInt(at + HEADER_CHECKSUM) == headerChecksum(in, at, salt);
  }

  /** The salt with which a header is one. */
  int saltOf(ByteBuffer header) {
    return headerChecksum(header, 0, header.getInt(HEADER_CHECKSUM));
  }

  static boolean isWeak(ByteBuffer header) {
    return header.get(KIND) == WEAK;
  }

  /**
   * Whether nothing was written there, where in zeroes one byte may have changed, or the beginning
   * of a header alone.
   */
  static boolean isUnwritten(ByteBuffer header) {
    if (header.getShort(HEADER_BYTES - Short.BYTES) == 0) {
      return true;
    }
    int marks = 0;
    for (int i = 0; i < HEADER_BYTES; i += Long.BYTES) {
      marks += marks(header.getLong(i));
    }
    return marks <= 1;
  }

  /** Whether the end of the frame, or what it has in a sector, did not reach the disk. */
  static boolean isTorn(ByteBuffer frame, long at) {
    boolean isTorn = frame.getLong(frame.limit() - END_BYTES) == 0;
    for (int from = firstBoundary(at); from < frame.limit() && !isTorn; from += SECTOR_BYTES) {
      isTorn = isZero(frame, from, Math.min(from + SECTOR_BYTES, frame.limit()));
    }
    return isTorn;
  }

  private static boolean isZero(ByteBuffer frame, int from, int to) {
    for (int i = from; i < to; i += Long.BYTES) {
      if (frame.getLong(i) != 0) {
        return false;
      }
    }
    return true;
  }
}
