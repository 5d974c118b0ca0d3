// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Asks the client of a connection to make its next calls by a new one (GOAWAY). What is open, or on
 * its way, is served to its end; then the connection closes. The last call is named only then (RFC
 * 9113, 6.8): netty takes data of a later one for an error, which would break what is open. Belongs
 * to the connection's event loop.
 */
final class Farewell {
  /** A client that has read the first GOAWAY begins no call after so long. */
  private static final long ON_THEIR_WAY_MS = 2_000;

  private static final byte[] MOVED =
      "keys were moved to another store".getBytes(StandardCharsets.US_ASCII);

  private final GrpcHandler<?> handler;
  private boolean isSaid;
  private boolean closesWhenIdle;

  Farewell(GrpcHandler<?> handler) {
    this.handler = handler;
  }

  /** Says it once; nothing the next times. */
  void say(ChannelHandlerContext context) {
    if (isSaid || !context.channel().isActive()) {
      return;
    }
    isSaid = true;
    goAway(context, Integer.MAX_VALUE);
    context
        .executor()
        .schedule(
            () -> {
              closesWhenIdle = true;
              closeIfDone(context);
            },
            ON_THEIR_WAY_MS,
            TimeUnit.MILLISECONDS);
  }

  /** Closes the connection if it was said and nothing is open. To be called when a call ends. */
  void closeIfDone(ChannelHandlerContext context) {
    boolean isDone = closesWhenIdle && handler.connection().numActiveStreams() == 0;
    if (isDone && context.channel().isActive()) {
      goAway(context, handler.connection().remote().lastStreamCreated());
      context.channel().close();
    }
  }

  private void goAway(ChannelHandlerContext context, int lastStream) {
    handler.goAway(
        context,
        lastStream,
        Http2Error.NO_ERROR.code(),
        Unpooled.wrappedBuffer(MOVED),
        context.newPromise());
    handler.wrote();
  }
}
