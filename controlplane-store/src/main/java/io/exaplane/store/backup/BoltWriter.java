// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a bbolt file (etcd's backend, go.etcd.io/bbolt: internal/common/page.go, meta.go) from its
 * first byte to its last: bucket after bucket, entries in the order of their keys. Its beginning
 * says where its end is, so it is written twice: {@link #dry} tells how, and nothing is kept of it.
 * For one thread.
 */
final class BoltWriter {
  static final int PAGE_BYTES = 4096;
  static final int HEADER_BYTES = 16;
  static final int ELEMENT_BYTES = 16;
  static final int MAGIC = 0xED0CDAED;
  static final int VERSION = 2;
  static final short BRANCH = 1;
  static final short LEAF = 2;
  static final short META = 4;
  static final short FREELIST = 16;
  static final int BUCKET_ENTRY = 1;
  static final int CHECKED_META_BYTES = 56;

  /** Larger than bbolt's own nodes, so that there are fewer to be remembered. */
  private static final int NODE_BYTES = 4 * PAGE_BYTES;

  private static final int FIRST_PAGE = 3;

  /** Takes the file's bytes in order. */
  interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  /** Where the file's root and end are. */
  record Layout(long root, long pages) {
    long bytes() {
      return pages * PAGE_BYTES;
    }
  }

  private record Node(byte[] firstKey, long page) {}

  private record Bucket(String name, long root) {}

  private final Sink sink;
  private final List<Bucket> buckets = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private ByteBuffer elements = little(NODE_BYTES);
  private ByteBuffer data = little(NODE_BYTES);
  private ByteBuffer out = little(16 * NODE_BYTES);
  private byte[] firstKey;
  private int count;
  private String bucket;
  private long nextPage = FIRST_PAGE;

  private BoltWriter(Sink sink) {
    this.sink = sink;
  }

  /** A writer that tells where things will be. */
  static BoltWriter dry() {
    return new BoltWriter(bytes -> {});
  }

  /** A writer of a file that is as a dry one found it. */
  static BoltWriter to(Sink sink, Layout layout) {
    BoltWriter writer = new BoltWriter(sink);
    writer.meta(0, layout);
    writer.meta(1, layout);
    writer.room(PAGE_BYTES);
    writer.header(2, FREELIST, 0, PAGE_BYTES);
    writer.pad();
    return writer;
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void meta(long id, Layout layout) {
    room(PAGE_BYTES);
    header(id, META, 0, PAGE_BYTES);
    int start = out.position();
    out.putInt(MAGIC).putInt(VERSION).putInt(PAGE_BYTES).putInt(0);
    out.putLong(layout.root()).putLong(0);
    out.putLong(2).putLong(layout.pages()).putLong(id);
    out.putLong(fnv(out.slice(start, CHECKED_META_BYTES)));
    pad();
  }

  /** FNV-1a of 64 bits. */
  static long fnv(ByteBuffer bytes) {
    long hash = 0xcbf29ce484222325L;
    while (bytes.hasRemaining()) {
      hash = (hash ^ (bytes.get() & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  /** Begins a bucket, in which entries may be put. */
  void beginBucket(String name) {
    bucket = name;
    nodes.clear();
    count = 0;
  }

  /** Begins an entry; the caller puts a value of exactly so many bytes into what it gets. */
  ByteBuffer entry(byte[] key, int valueBytes) {
    return entry(0, key, valueBytes);
  }

  private ByteBuffer entry(int flags, byte[] key, int valueBytes) {
    int entryBytes = ELEMENT_BYTES + key.length + valueBytes;
    if (count > 0
        && HEADER_BYTES + elements.position() + data.position() + entryBytes > NODE_BYTES) {
      endNode(LEAF);
    }
    beginElement(key, valueBytes);
    elements.putInt(flags).putInt(data.position()).putInt(key.length).putInt(valueBytes);
    data.put(key);
    return data;
  }

  private void beginElement(byte[] key, int valueBytes) {
    if (count++ == 0) {
      firstKey = key;
    }
    elements = roomIn(elements, ELEMENT_BYTES);
    data = roomIn(data, key.length + valueBytes);
  }

  /** Writes what was collected as one node, whose elements' positions count from themselves. */
  private void endNode(short kind) {
    int bytes = HEADER_BYTES + elements.position() + data.position();
    int pages = Math.max(1, (bytes + PAGE_BYTES - 1) / PAGE_BYTES);
    int positionAt = kind == LEAF ? 4 : 0;
    for (int i = 0; i < count; i++) {
      int at = i * ELEMENT_BYTES + positionAt;
      elements.putInt(at, elements.getInt(at) + elements.position() - i * ELEMENT_BYTES);
    }
    room(pages * PAGE_BYTES);
    header(nextPage, kind, count, pages * PAGE_BYTES);
    out.put(elements.flip()).put(data.flip());
    pad();
    nodes.add(new Node(firstKey, nextPage));
    nextPage += pages;
    elements.clear();
    data.clear();
    count = 0;
  }

  private void header(long id, short kind, int elementCount, int bytes) {
    out.putLong(id).putShort(kind).putShort((short) elementCount).putInt(bytes / PAGE_BYTES - 1);
  }

  private void pad() {
    int rest = -out.position() & (PAGE_BYTES - 1);
    Arrays.fill(out.array(), out.position(), out.position() + rest, (byte) 0);
    out.position(out.position() + rest);
  }

  private void room(int bytes) {
    out = roomIn(out, bytes);
  }

  private static ByteBuffer roomIn(ByteBuffer buffer, int bytes) {
    if (buffer.remaining() >= bytes) {
      return buffer;
    }
    int needed = buffer.position() + bytes;
    return little(Math.max(needed, buffer.capacity() * 2)).put(buffer.flip());
  }

  /** Ends the bucket. */
  void endBucket() {
    buckets.add(new Bucket(bucket, endTree()));
  }

  private long endTree() {
    if (count > 0 || nodes.isEmpty()) {
      endNode(LEAF);
    }
    while (nodes.size() > 1) {
      List<Node> children = List.copyOf(nodes);
      nodes.clear();
      for (Node child : children) {
        byte[] key = child.firstKey();
        int entryBytes = ELEMENT_BYTES + key.length;
        if (count > 1
            && HEADER_BYTES + elements.position() + data.position() + entryBytes > NODE_BYTES) {
          endNode(BRANCH);
        }
        beginElement(key, 0);
        elements.putInt(data.position()).putInt(key.length).putLong(child.page());
        data.put(key);
      }
      endNode(BRANCH);
    }
    return nodes.getFirst().page();
  }

  /** Hands on what was written so far. */
  void flush() throws IOException {
    sink.write(out.flip());
    out.clear();
  }

  /** Ends the file. */
  Layout end() throws IOException {
    nodes.clear();
    buckets.sort((a, b) -> a.name().compareTo(b.name()));
    for (Bucket each : buckets) {
      byte[] name = each.name().getBytes(StandardCharsets.US_ASCII);
      entry(BUCKET_ENTRY, name, 2 * Long.BYTES).putLong(each.root()).putLong(0);
    }
    long root = endTree();
    flush();
    return new Layout(root, nextPage);
  }
}
