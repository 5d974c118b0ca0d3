// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Cuts the bytes of a call into gRPC's messages: a flag, a length of four bytes, the message. What
 * is unfinished waits off the heap, where it costs the collector nothing however long it takes.
 */
final class MessageAssembler {
  /** Something that is not gRPC, or too large. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    RefusedException(int status, String message) {
      super(message, null, false, false);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  private static final int LEAST_PARTIAL_BYTES = 4 << 10;

  /** Gets a message. */
  interface Consumer {
    void message(byte[] array, int offset, int length);
  }

  private final int maxBytes;
  private final ByteBufAllocator buffers;
  private final PartialBytes budget;
  private final byte[] prefix = new byte[GrpcCall.PREFIX_BYTES];
  private int prefixBytes;
  private int expected;
  private ByteBuf partial;
  private long messages;

  MessageAssembler(int maxBytes, ByteBufAllocator buffers, PartialBytes budget) {
    this.maxBytes = maxBytes;
    this.buffers = buffers;
    this.budget = budget;
  }

  /**
   * Takes bytes in and hands out every message that they complete.
   *
   * @param scratch where a message that came in one piece is put
   */
  void add(ByteBuf data, byte[] scratch, Consumer consumer) throws RefusedException {
    while (data.isReadable()) {
      if (prefixBytes < prefix.length) {
        int bytes = Math.min(prefix.length - prefixBytes, data.readableBytes());
        data.readBytes(prefix, prefixBytes, bytes);
        prefixBytes += bytes;
        if (prefixBytes < prefix.length) {
          return;
        }
        readPrefix();
      }
      body(data, scratch, consumer);
    }
    if (prefixBytes == prefix.length && expected == 0) {
      body(data, scratch, consumer);
    }
  }

  private void readPrefix() throws RefusedException {
    if (prefix[0] != 0) {
      throw new RefusedException(
          GrpcStatus.UNIMPLEMENTED, "grpc: compressed messages are not supported");
    }
    long length =
        (prefix[1] & 0xffL) << 24
            | (prefix[2] & 0xff) << 16
            | (prefix[3] & 0xff) << 8
            | (prefix[4] & 0xff);
    if (length > maxBytes) {
      throw new RefusedException(
          GrpcStatus.RESOURCE_EXHAUSTED,
          "grpc: received message larger than max (%d vs. %d)".formatted(length, maxBytes));
    }
    expected = (int) length;
  }

  private void grow(int bytes) throws RefusedException {
    int more = bytes - (partial == null ? 0 : partial.capacity());
    if (!budget.take(more)) {
      throw new RefusedException(
          GrpcStatus.RESOURCE_EXHAUSTED, "grpc: too many unfinished messages");
    }
    partial = partial == null ? buffers.directBuffer(bytes, bytes) : larger(bytes);
  }

  private ByteBuf larger(int bytes) {
    ByteBuf larger = buffers.directBuffer(bytes, bytes).writeBytes(partial);
    partial.release();
    return larger;
  }

  /** A part of a message takes memory, and the rest is awaited. */
  boolean isUnfinished() {
    return partial != null;
  }

  /** Messages that were handed out. */
  long messages() {
    return messages;
  }

  /** Lets go of what came of a message that will not be finished. */
  void close() {
    reset();
  }

  private void body(ByteBuf data, byte[] scratch, Consumer consumer) throws RefusedException {
    int partialBytes = partial == null ? 0 : partial.readableBytes();
    int available = Math.min(data.readableBytes(), expected - partialBytes);
    if (partialBytes + available == expected) {
      finish(data, available, scratch, consumer);
      return;
    }
    if (available == 0) {
      return;
    }
    int needed = partialBytes + available;
    int capacity = partial == null ? 0 : partial.capacity();
    if (capacity < needed) {
      grow(Math.min(expected, Math.max(needed, Math.max(capacity * 2, LEAST_PARTIAL_BYTES))));
    }
    partial.writeBytes(data, available);
  }

  private void finish(ByteBuf data, int available, byte[] scratch, Consumer consumer) {
    int length = expected;
    byte[] message = length <= scratch.length ? scratch : new byte[length];
    int before = length - available;
    if (before > 0) {
      partial.readBytes(message, 0, before);
    }
    data.readBytes(message, before, available);
    reset();
    messages++;
    consumer.message(message, 0, length);
  }

  private void reset() {
    if (partial != null) {
      budget.giveBack(partial.capacity());
      partial.release();
    }
    prefixBytes = 0;
    expected = 0;
    partial = null;
  }
}
