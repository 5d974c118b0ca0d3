// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads {@link Frames}, all into the same memory. For one thread. */
final class FrameReader {
  private static final int LEAST_BYTES = 64 << 10;

  private final ByteBuffer header = ByteBuffer.allocate(Frames.HEADER_BYTES);
  private ByteBuffer frame = ByteBuffer.allocate(LEAST_BYTES);

  /**
   * Reads the frame at a position.
   *
   * @return a buffer from the payload's start to its end, until the next one is read; null if no
   *     whole frame with that sequence number is there
   */
  ByteBuffer read(StoredFile file, long fileBytes, long position, long sequence)
      throws IOException {
    if (position + Frames.HEADER_BYTES > fileBytes) {
      return null;
    }
    header.clear();
    file.read(position, header);
    int payloadBytes = header.getInt(0);
    if (payloadBytes <= 0
        || header.getLong(8) != sequence
        || position + Frames.HEADER_BYTES + payloadBytes > fileBytes) {
      return null;
    }
    int bytes = Frames.HEADER_BYTES + payloadBytes;
    if (frame.capacity() < bytes) {
      frame = ByteBuffer.allocate(Frames.grown(frame.capacity(), bytes));
    }
    frame.clear().limit(bytes);
    file.read(position, frame);
    if (frame.hasRemaining() || frame.getInt(4) != Frames.checksum(frame, payloadBytes)) {
      return null;
    }
    return frame.position(Frames.HEADER_BYTES);
  }
}
