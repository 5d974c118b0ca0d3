// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Reads from a connection in each turn of its event loop about as much as can be worked off in a
 * given time, so that connections share the loop by time: what is dear to work off, as calls that
 * are taken back at once, is read in small pieces, and others get their turn soon.
 */
final class ShortTurns implements RecvByteBufAllocator {
  private static final int LEAST_BYTES = 512;
  private static final int MOST_BYTES = 32 << 10;

  /** Turns over which the cost of a byte is averaged. */
  private static final double TURNS = 4;

  private final RecvByteBufAllocator sizes =
      new AdaptiveRecvByteBufAllocator(LEAST_BYTES, LEAST_BYTES, MOST_BYTES).maxMessagesPerRead(1);
  private final long turnNanos;
  private final LongSupplier nanoTime;

  /**
   * @param turnNanos how long a connection's turn should be
   */
  ShortTurns(long turnNanos, LongSupplier nanoTime) {
    this.turnNanos = turnNanos;
    this.nanoTime = nanoTime;
  }

  @Override
  @SuppressWarnings("deprecation") // netty's own way for allocators that are not its
  public Handle newHandle() {
    return new Turns((ExtendedHandle) sizes.newHandle());
  }

  /** The turns of one connection; used by its event loop. */
  private final class Turns extends DelegatingHandle implements ExtendedHandle {
    private double nanosPerByte;
    private long began;

    Turns(ExtendedHandle delegate) {
      super(delegate);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator alloc) {
      return alloc.ioBuffer(guess());
    }

    @Override
    public int guess() {
      double affordable = turnNanos / Math.max(nanosPerByte, 1e-3);
      return (int) Math.clamp(affordable, LEAST_BYTES, super.guess());
    }

    @Override
    public void lastBytesRead(int bytes) {
      super.lastBytesRead(bytes);
      began = nanoTime.getAsLong();
    }

    @Override
    public void readComplete() {
      int bytes = lastBytesRead();
      if (bytes > 0) {
        double cost = (double) (nanoTime.getAsLong() - began) / bytes;
        nanosPerByte += (cost - nanosPerByte) / TURNS;
      }
      super.readComplete();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return ((ExtendedHandle) delegate()).continueReading(maybeMoreData);
    }
  }
}
