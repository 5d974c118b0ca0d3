// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A segment as stores wrote it before {@link MarkedSegment}: {@link Frames} from the start on. Its
 * last frame is taken for torn whenever it is not whole.
 */
final class PlainSegment implements Segment {
  private final StoredFile file;
  private final long bytes;
  private final FrameReader frames = new FrameReader();

  PlainSegment(StoredFile file) throws IOException {
    this.file = file;
    this.bytes = file.size();
  }

  @Override
  public CorruptJournalException damage() {
    return null;
  }

  @Override
  public MemberIds owner() {
    return MemberIds.NONE;
  }

  @Override
  public long start() {
    return 0;
  }

  @Override
  public Reading read(long at, long sequence) throws IOException {
    ByteBuffer payload = frames.read(file, bytes, at, sequence);
    return payload == null
        ? Reading.TORN
        : new Reading(State.WHOLE, payload, Frames.size(payload.remaining()), false);
  }

  @Override
  public Found behind(long broken, long expected) throws IOException {
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

  @Override
  public void close() throws IOException {
    file.close();
  }
}
