// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The frames that log and snapshots consist of.
 *
 * <pre>
 *   0  int   bytes of the payload; 0 where nothing was written yet
 *   4  int   CRC-32C of sequence number and payload
 *   8  long  sequence number, one more than that of the frame before
 *  16  the payload, padded to 8 bytes
 * </pre>
 */
final class Frames {
  /** Larger buffers grow by less. */
  private static final int DOUBLED_BYTES = 8 << 20;

  static final int HEADER_BYTES = 16;
  static final int ALIGNMENT = 8;

  /** Digits of a sequence number in the name of a file. */
  static final int DIGITS = 20;

  private Frames() {}

  static int size(int payloadBytes) {
    return (HEADER_BYTES + payloadBytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /**
   * Makes a frame of a buffer whose first {@link #HEADER_BYTES} were left free; its position is at
   * the payload's end. Leaves it ready to be written.
   */
  static void seal(ByteBuffer frame, long sequence) {
    int payloadBytes = frame.position() - HEADER_BYTES;
    while (frame.position() % ALIGNMENT != 0) {
      frame.put((byte) 0);
    }
    frame.putLong(8, sequence);
    frame.putInt(0, payloadBytes);
    frame.putInt(4, checksum(frame, payloadBytes));
    frame.flip();
  }

  static int checksum(ByteBuffer frame, int payloadBytes) {
    CRC32C crc = new CRC32C();
    crc.update(frame.slice(8, HEADER_BYTES - 8 + payloadBytes));
    return (int) crc.getValue();
  }

  /**
   * Capacity of a buffer that has to grow: twice as much, or of a large one a quarter more, since
   * both are there while it grows.
   */
  static int grown(int capacity, int needed) {
    long more = capacity < DOUBLED_BYTES ? capacity : capacity / 4;
    return (int) Math.min(Integer.MAX_VALUE - 64, Math.max(needed, capacity + more));
  }
}
