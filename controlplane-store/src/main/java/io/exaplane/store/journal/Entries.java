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

  /** Of an entry {@link #LEASE} that tells the time. */
  static final long NO_LEASE = 0;

  /** First byte of a frame that was durable, with all before it, when more followed. */
  static final byte DURABLE = 1;

  /** First byte of any other frame. */
  static final byte WEAK = 0;

  /** Before the payload there is room for either header. */
  private static final int PAYLOAD = LogFrames.HEADER_BYTES;

  private static final int START = PAYLOAD + 1 + Long.BYTES;

  /** For what a frame has behind its payload, and for what fills its last sector. */
  private static final int ROOM_BEHIND = LogFrames.SECTOR_BYTES + 64;

  /** An entry that changes nothing, also for stores of before: no lease ended. */
  private static final int FILLER_BYTES = 1 + Long.BYTES;

  private static final byte[] FILLERS = fillers();

  private static final int INITIAL_BYTES = 64 << 10;

  /** A larger buffer, as the deletion of very many keys at once takes, is let go. */
  private static final int KEPT_BYTES = 32 << 20;

  private final LogFrames frames = new LogFrames();
  private ByteBuffer buffer = ByteBuffer.allocateDirect(INITIAL_BYTES);

  Entries() {
    clear();
  }

  void clear() {
    if (buffer.capacity() > KEPT_BYTES) {
      buffer = ByteBuffer.allocateDirect(INITIAL_BYTES);
    }
    buffer.clear().position(START);
  }

  boolean isEmpty() {
    return buffer.position() == START;
  }

  /** Bytes so far, with room for a frame's header. */
  int bytes() {
    return buffer.position();
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes + ROOM_BEHIND) {
      ByteBuffer larger =
          ByteBuffer.allocateDirect(
              Frames.grown(buffer.capacity(), buffer.position() + bytes + ROOM_BEHIND));
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

  /**
   * It is that late, by the leases' clock: a lease with an id that no client can have, so that
   * stores of before can read it, too, for which it is one that is over.
   */
  void passed(long nowMs) {
    lease(NO_LEASE, 0, nowMs);
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

  /** Bytes of the frame of the log with all of this, before its last sector is filled. */
  int frameBytes() {
    return LogFrames.size(buffer.position() - PAYLOAD);
  }

  /**
   * The frame of the log with all of this, ready to be written. More may be added and sealed again.
   * A durable frame ends where a sector ends: what comes behind it shares no sector with it.
   *
   * @param durable whether nothing is written behind it before it is durable
   * @param lastDurable number of the last durable frame before it, by which the loss of one shows
   * @param salt of the segment
   * @param at where in the segment it will be
   */
  ByteBuffer seal(long sequence, boolean durable, long lastDurable, int salt, long at) {
    ByteBuffer frame = begin(durable, lastDurable);
    if (durable) {
      fillSector(frame, at);
    }
    return frames.seal(frame, sequence, durable, salt, at);
  }

  private static void fillSector(ByteBuffer frame, long at) {
    int payloadBytes = frame.position() - PAYLOAD;
    long end = at + LogFrames.size(payloadBytes);
    long sectorEnd = (end + LogFrames.SECTOR_BYTES - 1) & -LogFrames.SECTOR_BYTES;
    int room = LogFrames.mostPayloadBytes((int) (sectorEnd - at)) - payloadBytes;
    // What is left is less than a filler; the marks at the frame's end take it.
    frame.put(FILLERS, 0, room - room % FILLER_BYTES);
  }

  private static byte[] fillers() {
    byte[] fillers = new byte[LogFrames.SECTOR_BYTES / FILLER_BYTES * FILLER_BYTES];
    for (int at = 0; at < fillers.length; at += FILLER_BYTES) {
      fillers[at] = LEASE_ENDED; // of NO_LEASE
    }
    return fillers;
  }

  /**
   * The frame of a snapshot with all of this, ready to be written.
   *
   * @param mark stands where a frame of the log has the last durable frame
   */
  ByteBuffer sealPlain(long sequence, long mark) {
    ByteBuffer frame = begin(true, mark);
    int end = frame.position();
    int start = PAYLOAD - Frames.HEADER_BYTES;
    ByteBuffer plain = frame.slice(start, frame.capacity() - start).position(end - start);
    Frames.seal(plain, sequence);
    return plain;
  }

  private ByteBuffer begin(boolean durable, long lastDurable) {
    ByteBuffer frame = room(ROOM_BEHIND).duplicate();
    frame.put(PAYLOAD, durable ? DURABLE : WEAK);
    frame.putLong(PAYLOAD + 1, lastDurable);
    return frame;
  }
}
