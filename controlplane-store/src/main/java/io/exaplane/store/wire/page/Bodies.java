// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/**
 * Makes a connection's requests whole. A body of the gateway's, or of a page that reads it, may be
 * large, and counts until it is read ({@link #read}); one of other pages may not. One event loop.
 */
final class Bodies extends HttpObjectAggregator {
  private final Pages pages;
  private final Gateway gateway;
  private final BodyMemory memory;
  private int most;
  private long come;
  private boolean counts;
  private boolean isRefused;
  private int taken;

  /**
   * @param gateway null if there is none
   */
  Bodies(Pages pages, Gateway gateway, BodyMemory memory) {
    super(Integer.MAX_VALUE, true); // each path has its own bound
    this.pages = pages;
    this.gateway = gateway;
    this.memory = memory;
  }

  private boolean isGateways(HttpMessage message) {
    return gateway != null && message instanceof HttpRequest asked && gateway.has(asked.uri());
  }

  private int most(HttpMessage message) {
    if (isGateways(message)) {
      return gateway.mostBodyBytes();
    }
    return message instanceof HttpRequest asked
        ? pages.mostBodyBytes(asked.uri())
        : Pages.USUAL_BODY_BYTES;
  }

  @Override
  protected boolean isContentLengthInvalid(HttpMessage start, int any) {
    return super.isContentLengthInvalid(start, most(start));
  }

  @Override
  protected Object newContinueResponse(HttpMessage start, int any, ChannelPipeline pipeline) {
    return super.newContinueResponse(start, most(start), pipeline);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, HttpObject part, List<Object> out)
      throws Exception {
    if (part instanceof HttpRequest request) {
      most = most(request);
      if (isContentLengthInvalid(request, most)) {
        refuse(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      }
      counts = isGateways(request) || most > Pages.USUAL_BODY_BYTES;
      come = 0;
    }
    if (part instanceof HttpContent content && !isRefused) {
      int bytes = content.content().readableBytes();
      come += bytes;
      if (come > most) {
        refuse(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      } else if (counts && !take(bytes)) {
        refuse(ctx, HttpResponseStatus.TOO_MANY_REQUESTS);
      }
    }
    if (!isRefused) {
      super.decode(ctx, part, out);
    }
  }

  private boolean take(int bytes) {
    boolean hasRoom = memory.take(bytes);
    taken += hasRoom ? bytes : 0;
    return hasRoom;
  }

  /** What else comes of this connection is not looked at. */
  private void refuse(ChannelHandlerContext ctx, HttpResponseStatus why) {
    if (!isRefused) {
      isRefused = true;
      PageAnswer words =
          why.equals(HttpResponseStatus.TOO_MANY_REQUESTS)
              ? PageAnswer.TOO_MANY_BODIES
              : PageAnswer.tooLarge(most);
      DefaultFullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, why, Unpooled.wrappedBuffer(words.body()));
      words.headers().forEach(response.headers()::set);
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, words.body().length);
      ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** A body that counts is read; be it after the connection's end, which gave all back. */
  void read(int bytes) {
    int back = Math.min(bytes, taken);
    taken -= back;
    memory.giveBack(back);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) throws Exception {
    read(taken);
    super.handlerRemoved(ctx);
  }
}
