// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.request.Slice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Reads the frames of an etcd's log (server/storage/wal/decoder.go) and their sums. A frame at the
 * end that was being written when the machine stopped is no damage: nobody was told of it. What
 * only etcd itself could tell from damage, such as a file that breaks off, counts as damage. For
 * one thread.
 */
final class LogFrames {
  static final long METADATA = 1;
  static final long ENTRY = 2;
  static final long SNAPSHOT = 5;
  private static final long SUM = 4;

  /** The last field of a frame. */
  private static final int DATA = 3;

  private static final ValueLayout.OfLong LITTLE_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A frame's length is in the lower bytes of its first word, its padding in the highest. */
  private static final int LENGTH_BITS = 56;

  private static final int MOST_PADDING = 7;

  /** A disk writes a sector whole or not at all, so a torn frame has one of zeroes. */
  private static final int SECTOR_BYTES = 512;

  private final ProtoReader in = new ProtoReader();
  private final Castagnoli sum = new Castagnoli();
  private final Taker taker;
  private Path segment;
  private boolean isLast;
  private long typeOfLast;
  private Path headless;
  private boolean endsInRoom;

  /** Takes a frame of a type; the data are valid for the time of the call. */
  interface Taker {
    void frame(long type, Slice data);
  }

  LogFrames(Taker taker) {
    this.taker = taker;
  }

  /**
   * Reads segments in their order.
   *
   * @throws IOException if one is damaged, with its name and the place
   */
  void read(List<Path> segments) throws IOException {
    for (Path each : segments) {
      segment = each;
      isLast = each.equals(segments.getLast());
      headless = headless == null ? each : headless;
      try (FileChannel channel = FileChannel.open(each, StandardOpenOption.READ);
          Arena arena = Arena.ofConfined()) {
        frames(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
      } catch (RuntimeException e) {
        throw new IOException("%s holds data that etcd does not write (%s)".formatted(each, e), e);
      }
    }
  }

  /** The first segment that does not begin as etcd begins each of them; null if all do. */
  Path headless() {
    return headless;
  }

  /**
   * Whether the last segment has zeroes behind the last frame. A file that breaks off between two
   * frames has none, and neither has a segment that another one follows.
   */
  boolean endsInRoom() {
    return endsInRoom;
  }

  private void frames(MemorySegment file) throws IOException {
    long at = 0;
    while (at + Long.BYTES <= file.byteSize()) {
      long word = file.get(LITTLE_ENDIAN, at);
      if (word == 0 && isZero(file, at)) {
        endsInRoom = isLast;
        return; // nothing was written there yet
      }
      long length = word & (1L << LENGTH_BITS) - 1;
      long padding = word < 0 ? word >>> LENGTH_BITS & MOST_PADDING : 0;
      long begin = at + Long.BYTES;
      if (length == 0 || length > file.byteSize() - begin - padding) {
        throw damaged(at);
      }
      byte[] frame = file.asSlice(begin, length + padding).toArray(ValueLayout.JAVA_BYTE);
      if (!isTaken(frame, (int) length)) {
        boolean isTorn = hasEmptySector(frame, (int) length, begin) && fits(frame, (int) length);
        if (isLast && isTorn && isZero(file, begin + frame.length)) {
          endsInRoom = begin + frame.length < file.byteSize();
          return;
        }
        throw damaged(at);
      }
      if (at == 0 && typeOfLast == SUM && segment.equals(headless)) {
        headless = null;
      }
      at = begin + length + padding;
    }
  }

  private IOException damaged(long at) {
    return new IOException(
        "%s is damaged at offset %d, so the rest of the log is not known; start an etcd of the same version on the folder, which tells whether it can be repaired, or restore a backup"
            .formatted(segment, at));
  }

  /** Whether the frame is whole: what has the wrong sum is handed to nobody. */
  private boolean isTaken(byte[] frame, int length) {
    long type = 0;
    int wanted = 0;
    Slice data = new Slice();
    try {
      in.open(frame, 0, length);
      for (int field = in.field(); field != 0; field = in.field()) {
        switch (field) {
          case 1 -> type = in.number();
          case 2 -> wanted = (int) in.number();
          case DATA -> in.bytes(data);
          default -> in.skip();
        }
      }
    } catch (RuntimeException e) {
      return false; // no protobuf
    }
    typeOfLast = type;
    if (type < METADATA || type > SNAPSHOT) {
      return false; // the sum is of the data alone
    }
    if (type == SUM) {
      boolean goesOn = sum.sum() == 0 || sum.sum() == wanted;
      sum.set(wanted);
      return goesOn;
    }
    sum.update(data.array(), data.offset(), data.length());
    if (sum.sum() != wanted) {
      return false;
    }
    taker.frame(type, data);
    return true;
  }

  private static boolean isZero(MemorySegment file, long from) {
    for (long at = from; at + Long.BYTES <= file.byteSize(); at += Long.BYTES) {
      if (file.get(LITTLE_ENDIAN, at) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether what is left of it says the same length as the word before it, if that says any. */
  private boolean fits(byte[] frame, int length) {
    if (frame[0] == 0) {
      return true;
    }
    Slice data = new Slice();
    try {
      in.open(frame, 0, length);
      for (int field = in.field(); field != 0; field = in.field()) {
        if (field == DATA) {
          in.bytes(data);
          break;
        }
        in.skip();
      }
    } catch (RuntimeException e) {
      return false; // longer than the frame
    }
    return data.offset() + data.length() == length;
  }

  /** Whether a sector of it was never written. */
  private static boolean hasEmptySector(byte[] frame, int length, long begin) {
    int at = 0;
    while (at < length) {
      int end = (int) Math.min(length, at + SECTOR_BYTES - (begin + at) % SECTOR_BYTES);
      int zeroes = at;
      while (zeroes < end && frame[zeroes] == 0) {
        zeroes++;
      }
      if (zeroes == end) {
        return true;
      }
      at = end;
    }
    return false;
  }
}
