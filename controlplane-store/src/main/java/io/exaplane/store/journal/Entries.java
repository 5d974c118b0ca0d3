// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a frame says: whether it is {@link #DURABLE}, and which one was so before; then one after
 * the other versions of keys in the order of their revisions, leases, compactions. Written by one
 * thread into a buffer that grows and is used again.
 */
final class Entries {
  static final byte PUT = 1;
  static final byte TOMBSTONE = 2;
  static final byte COMPACTED = 3;
  static final byte LEASE = 4;
  static final byte LEASE_ENDED = 5;
  static final byte REVISION = 6;
  static final byte END = 7;
  static final byte BASE = 8;
  static final byte SUB = 9;
  static final byte HISTORY_STARTS = 10;

  /** First byte of a frame that was durable, with all before it, when more followed. */
  static final byte DURABLE = 1;

  /** First byte of any other frame. */
  static final byte WEAK = 0;

  private static final int START = Frames.HEADER_BYTES + 1 + Long.BYTES;
  private static final int INITIAL_BYTES = 1 << 20;

  private ByteBuffer buffer = ByteBuffer.allocateDirect(INITIAL_BYTES);

  Entries() {
    clear();
  }

  void clear() {
    buffer.clear().position(START);
  }

  boolean isEmpty() {
    return buffer.position() == START;
  }

  /** Bytes so far, with the frame's header. */
  int bytes() {
    return buffer.position();
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes + Frames.ALIGNMENT) {
      ByteBuffer larger =
          ByteBuffer.allocateDirect(
              Math.max(buffer.capacity() * 2, buffer.position() + bytes + Frames.ALIGNMENT));
      larger.put(buffer.flip());
      buffer = larger;
    }
    return buffer;
  }

  /** A version of a key, as its record holds it. */
  void version(MemorySegment memory, long record) {
    room(1).put(Records.isTombstone(memory, record) ? TOMBSTONE : PUT);
    keyValue(memory, record);
  }

  /** What a key was before the oldest revision that can be asked for. */
  void base(MemorySegment memory, long record) {
    room(5).put(BASE).putInt(Records.sub(memory, record));
    keyValue(memory, record);
  }

  private void keyValue(MemorySegment memory, long record) {
    int bytes = Records.keyValueBytes(memory, record);
    ByteBuffer out = room(4 + bytes);
    out.putInt(bytes);
    MemorySegment.copy(
        memory,
        ValueLayout.JAVA_BYTE,
        Records.keyValue(record),
        MemorySegment.ofBuffer(out),
        ValueLayout.JAVA_BYTE,
        0,
        bytes);
    out.position(out.position() + bytes);
  }

  /** A lease that was granted, or that ends at another time now. */
  void lease(long id, long ttlSeconds, long deadlineMs) {
    room(25).put(LEASE).putLong(id).putLong(ttlSeconds).putLong(deadlineMs);
  }

  void leaseEnded(long id) {
    room(9).put(LEASE_ENDED).putLong(id);
  }

  void compacted(long revision) {
    room(9).put(COMPACTED).putLong(revision);
  }

  /** The store is at this revision although no version says so. */
  void revision(long revision) {
    room(9).put(REVISION).putLong(revision);
  }

  /** Position of the next version among its revision's changes, where some are not kept. */
  void sub(int at) {
    room(5).put(SUB).putInt(at);
  }

  /** From which revisions on keys have history, by the prefixes of their rules. */
  void historyStarts(Map<String, Long> byPrefix) {
    room(5).put(HISTORY_STARTS).putInt(byPrefix.size());
    byPrefix.forEach(
        (prefix, start) -> {
          byte[] bytes = prefix.getBytes(StandardCharsets.UTF_8);
          room(12 + bytes.length).putInt(bytes.length).put(bytes).putLong(start);
        });
  }

  /** Nothing follows: a snapshot is whole. */
  void end() {
    room(1).put(END);
  }

  /**
   * The frame with all of this, ready to be written. More may be added and sealed again.
   *
   * @param durable whether nothing is written behind it before it is durable
   * @param lastDurable number of the last durable frame before it, by which the loss of one shows
   */
  ByteBuffer seal(long sequence, boolean durable, long lastDurable) {
    ByteBuffer frame = room(Frames.ALIGNMENT).duplicate();
    frame.put(Frames.HEADER_BYTES, durable ? DURABLE : WEAK);
    frame.putLong(Frames.HEADER_BYTES + 1, lastDurable);
    Frames.seal(frame, sequence);
    return frame;
  }
}
