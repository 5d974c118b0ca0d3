// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the buckets of a bbolt file, see {@link BoltWriter}. What is none throws an {@link
 * IOException} that says where. For one thread.
 */
final class BoltReader implements AutoCloseable {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A tree of 64 KiB pages with two children each is not deeper. */
  private static final int MOST_DEPTH = 48;

  private final Path path;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment file;
  private final long pageBytes;
  private final long root;

  /** Takes an entry: bytes of key and value, valid for the time of the call. */
  interface Visitor {
    void entry(MemorySegment key, MemorySegment value) throws IOException;
  }

  BoltReader(Path path) throws IOException {
    this.path = path;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    }
    long meta = newestMeta();
    pageBytes = file.get(INT, meta + 8);
    root = file.get(LONG, meta + 16);
  }

  /** Position of the valid one with the larger transaction number. */
  private long newestMeta() throws IOException {
    long best = -1;
    // The second one lies at the page size, which only the first one tells for sure.
    for (long page = 0; page <= 1 << 16; page = page == 0 ? 1 << 12 : page << 1) {
      long at = page + BoltWriter.HEADER_BYTES;
      if (at + BoltWriter.CHECKED_META_BYTES + Long.BYTES <= file.byteSize() && isMeta(at)) {
        boolean newer = best < 0 || file.get(LONG, at + 48) > file.get(LONG, best + 48);
        best = newer ? at : best;
      }
    }
    if (best < 0) {
      throw damaged(0, "there is no valid meta page, so this is not a file of bbolt");
    }
    return best;
  }

  private boolean isMeta(long at) {
    return file.get(INT, at) == BoltWriter.MAGIC
        && file.get(INT, at + 4) == BoltWriter.VERSION
        && BoltWriter.fnv(file.asSlice(at, BoltWriter.CHECKED_META_BYTES).asByteBuffer())
            == file.get(LONG, at + BoltWriter.CHECKED_META_BYTES);
  }

  private IOException damaged(long position, String what) {
    return new IOException(
        "%s is damaged at offset %d: %s; take another backup".formatted(path, position, what));
  }

  /** Names of the buckets, in order. */
  List<String> buckets() throws IOException {
    List<String> names = new ArrayList<>();
    walk(
        root,
        0,
        (key, _) ->
            names.add(new String(key.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
    return names;
  }

  /** Visits the entries of a bucket in the order of their keys; of one that is not there none. */
  void forEach(String bucket, Visitor visitor) throws IOException {
    byte[] name = bucket.getBytes(StandardCharsets.US_ASCII);
    MemorySegment wanted = MemorySegment.ofArray(name);
    walk(
        root,
        0,
        (key, value) -> {
          if (key.mismatch(wanted) == -1) {
            walkBucket(value, visitor);
          }
        });
  }

  private void walkBucket(MemorySegment header, Visitor visitor) throws IOException {
    long page = header.get(LONG, 0);
    if (page == 0) {
      // A small bucket lies in its parent's page, behind its header.
      long at = header.address() - file.address() + 2 * Long.BYTES;
      leaf(at, visitor);
    } else {
      walk(page, 0, visitor);
    }
  }

  private void walk(long page, int depth, Visitor visitor) throws IOException {
    long at = page * pageBytes;
    if (page < 0 || at < 0 || at + BoltWriter.HEADER_BYTES > file.byteSize()) {
      throw damaged(0, "page %d is beyond its end".formatted(page));
    }
    if (depth > MOST_DEPTH) {
      throw damaged(at, "the pages form a circle");
    }
    int kind = file.get(SHORT, at + 8);
    if (kind == BoltWriter.LEAF) {
      leaf(at, visitor);
    } else if (kind == BoltWriter.BRANCH) {
      int count = count(at);
      for (int i = 0; i < count; i++) {
        long element = element(at, i);
        walk(file.get(LONG, element + 8), depth + 1, visitor);
      }
    } else {
      throw damaged(at, "a page of kind %d inside a tree".formatted(kind));
    }
  }

  private int count(long page) {
    return Short.toUnsignedInt(file.get(SHORT, page + 10));
  }

  private long element(long page, int index) throws IOException {
    long at = page + BoltWriter.HEADER_BYTES + (long) index * BoltWriter.ELEMENT_BYTES;
    if (at + BoltWriter.ELEMENT_BYTES > file.byteSize()) {
      throw damaged(page, "an element is beyond the file's end");
    }
    return at;
  }

  private void leaf(long page, Visitor visitor) throws IOException {
    int count = count(page);
    for (int i = 0; i < count; i++) {
      long element = element(page, i);
      long key = element + Integer.toUnsignedLong(file.get(INT, element + 4));
      long keyBytes = Integer.toUnsignedLong(file.get(INT, element + 8));
      long valueBytes = Integer.toUnsignedLong(file.get(INT, element + 12));
      if (key + keyBytes + valueBytes > file.byteSize()) {
        throw damaged(element, "an entry is beyond the file's end");
      }
      visitor.entry(file.asSlice(key, keyBytes), file.asSlice(key + keyBytes, valueBytes));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
