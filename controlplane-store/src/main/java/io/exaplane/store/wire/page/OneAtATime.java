// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.exaplane.store.wire.door.Place;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets the next request of a connection through when the answer to the one before is written, so
 * that answers that come in parts never mix. A connection with an answer under way is busy. One
 * event loop.
 */
final class OneAtATime extends ChannelDuplexHandler {
  private final PageTimes times;
  private final Runnable offence;
  private final int mostWaiting;
  private final Queue<Object> waiting = new ArrayDeque<>();
  private boolean isAnswering;

  /**
   * @param offence is told of a client that sends more requests than may wait
   */
  OneAtATime(PageTimes times, int mostWaiting, Runnable offence) {
    this.times = times;
    this.mostWaiting = mostWaiting;
    this.offence = offence;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof FullHttpRequest)) {
      ctx.fireChannelRead(message);
    } else if (!isAnswering) {
      pass(ctx, message);
    } else if (waiting.size() < mostWaiting) {
      waiting.add(message);
    } else {
      ReferenceCountUtil.release(message);
      offence.run();
      ctx.close();
    }
  }

  private void pass(ChannelHandlerContext ctx, Object request) {
    isAnswering = true;
    times.answering();
    Place.of(ctx.channel()).busy();
    ctx.fireChannelRead(request);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent) {
      ctx.write(message, promise.unvoid().addListener(_ -> written(ctx)));
    } else {
      ctx.write(message, promise);
    }
  }

  private void written(ChannelHandlerContext ctx) {
    isAnswering = false;
    Place.of(ctx.channel()).idle();
    times.idle();
    Object next = ctx.channel().isActive() ? waiting.poll() : null;
    if (next != null) {
      pass(ctx, next);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
  }
}
