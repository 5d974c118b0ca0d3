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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an etcd's log says (server/storage/wal), as far as somebody needs to know who starts another
 * etcd on it.
 *
 * @param lastIndex number of the last entry; 0 without one
 * @param oldRequests entries behind the last snapshot that are requests as etcd 3.5 writes them:
 *     etcd 3.7 reads those entries when it starts, and ends on such a one
 */
record EtcdLog(long lastIndex, int oldRequests) {
  private static final ValueLayout.OfLong LITTLE_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A frame's length is in the lower bytes of its first word, its padding in the highest. */
  private static final int LENGTH_BITS = 56;

  private static final int MOST_PADDING = 7;
  private static final long ENTRY = 2;

  /** Of a request of version 2 its method, of one of version 3 what no later etcd writes. */
  private static final int OLD_FIELD = 2;

  private static final int HEXADECIMAL = 16;

  /** Reads the log of a member's folder. */
  static EtcdLog of(Path member) throws IOException {
    Reading reading = new Reading(lastSnapshot(member.resolve("snap")));
    for (Path segment : files(member.resolve("wal"), ".wal")) {
      reading.segment(segment);
    }
    return new EtcdLog(reading.lastIndex, reading.oldRequests);
  }

  private static List<Path> files(Path folder, String suffix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /** Number of the last entry that a snapshot holds, by its name: term and index. */
  private static long lastSnapshot(Path folder) throws IOException {
    long last = 0;
    for (Path file : files(folder, ".snap")) {
      String name = file.getFileName().toString();
      if (name.matches("[0-9a-f]{16}-[0-9a-f]{16}\\.snap")) {
        last = Math.max(last, Long.parseUnsignedLong(name.substring(17, 33), HEXADECIMAL));
      }
    }
    return last;
  }

  private static final class Reading {
    private final long snapshotIndex;
    private final ProtoReader in = new ProtoReader();
    private long lastIndex;
    private int oldRequests;

    Reading(long snapshotIndex) {
      this.snapshotIndex = snapshotIndex;
    }

    void segment(Path segment) throws IOException {
      try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ);
          Arena arena = Arena.ofConfined()) {
        MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        long at = 0;
        while (at + Long.BYTES <= file.byteSize()) {
          long word = file.get(LITTLE_ENDIAN, at);
          long length = word & (1L << LENGTH_BITS) - 1;
          long padding = word < 0 ? word >>> LENGTH_BITS & MOST_PADDING : 0;
          if (length == 0 || at + Long.BYTES + length > file.byteSize()) {
            return; // zeroes, to which nothing was written yet
          }
          record(file.asSlice(at + Long.BYTES, length).toArray(ValueLayout.JAVA_BYTE));
          at += Long.BYTES + length + padding;
        }
      } catch (RuntimeException e) {
        throw new IOException(
            "%s holds data that etcd does not write (%s)".formatted(segment, e), e);
      }
    }

    private void record(byte[] record) {
      in.open(record, 0, record.length);
      long type = 0;
      Slice data = new Slice();
      for (int field = in.field(); field != 0; field = in.field()) {
        switch (field) {
          case 1 -> type = in.number();
          case 3 -> in.bytes(data);
          default -> in.skip();
        }
      }
      if (type == ENTRY) {
        entry(data);
      }
    }

    private void entry(Slice entry) {
      in.open(entry.array(), entry.offset(), entry.length());
      long type = 0;
      Slice data = new Slice();
      for (int field = in.field(); field != 0; field = in.field()) {
        switch (field) {
          case 1 -> type = in.number();
          case 3 -> lastIndex = in.number();
          case 4 -> in.bytes(data);
          default -> in.skip();
        }
      }
      if (type == 0 && lastIndex > snapshotIndex && isOld(data)) {
        oldRequests++;
      }
    }

    private boolean isOld(Slice data) {
      in.open(data.array(), data.offset(), data.length());
      for (int field = in.field(); field != 0; field = in.field()) {
        if (field == OLD_FIELD) {
          return true;
        }
        in.skip();
      }
      return false;
    }
  }
}
