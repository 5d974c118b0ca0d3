// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * How long a client of HTTP/1.1 may take: to say what it wants, to take its answer, to say nothing.
 * Who takes longer is closed. Sits before the codec, to see a request's first byte. One event loop.
 */
final class PageTimes extends ChannelInboundHandlerAdapter {
  /** From a request's first byte, or from the connection's begin, to its end. */
  static final long REQUEST_MS = 10_000;

  /** From an answer's begin until the client has taken it. */
  static final long ANSWER_MS = 20_000;

  /** Between an answer and the next request: longer than Prometheus usually waits. */
  static final long IDLE_MS = 120_000;

  private ChannelHandlerContext context;
  private Future<?> deadline;
  private boolean isIdle;

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    closeIn(REQUEST_MS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    deadline.cancel(false);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isIdle) {
      isIdle = false;
      closeIn(REQUEST_MS);
    }
    ctx.fireChannelRead(message);
  }

  /** The request is whole, and the answer is being made, which is bounded by those who make it. */
  void answering() {
    isIdle = false;
    deadline.cancel(false);
  }

  /** The answer is on its way. */
  void sending() {
    closeIn(ANSWER_MS);
  }

  /** The answer is taken. */
  void idle() {
    isIdle = true;
    closeIn(IDLE_MS);
  }

  private void closeIn(long ms) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline = context.executor().schedule(() -> context.close(), ms, TimeUnit.MILLISECONDS);
  }
}
