// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/** First in a connection's pipeline: reads seldom from a source that is restrained. */
final class Restraint extends ChannelDuplexHandler {
  private final Source source;
  private boolean pauses;

  Restraint(Source source) {
    this.source = source;
  }

  /** That of a connection. */
  static Restraint of(Channel channel) {
    return channel.pipeline().get(Restraint.class);
  }

  /** The client did what no client of ours does. */
  void offend(int weight) {
    source.offend(weight);
  }

  /** The client took a call back: anybody may, but a restrained source is not let go for it. */
  void calledBack() {
    if (source.isRestrained()) {
      source.prolong();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    pauseIfRestrained(ctx);
    ctx.fireChannelActive();
  }

  /** What was not asked for is read because the client has hung up: nobody waits for answers. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (pauses) {
      ReferenceCountUtil.release(message);
      ctx.close();
    } else {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.fireChannelReadComplete();
    pauseIfRestrained(ctx);
  }

  private void pauseIfRestrained(ChannelHandlerContext ctx) {
    if (!pauses && source.isRestrained()) {
      pauses = true;
      ctx.channel().config().setAutoRead(false);
      ctx.executor().schedule(() -> goOn(ctx), Source.PAUSE_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void goOn(ChannelHandlerContext ctx) {
    pauses = false;
    ctx.channel().config().setAutoRead(true);
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    if (!pauses) { // HTTP/2's handler asks for more even so
      ctx.read();
    }
  }
}
