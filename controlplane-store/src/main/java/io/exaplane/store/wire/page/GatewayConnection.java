// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;

/**
 * Gives a connection's requests of HTTP/1.1 to the gateway, if the path is the gateway's. One event
 * loop; one request at a time, which {@link OneAtATime} sees to.
 */
final class GatewayConnection extends ChannelInboundHandlerAdapter {
  private final Gateway gateway;
  private Runnable gone;

  GatewayConnection(Gateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof FullHttpRequest request && gateway.has(request.uri())) {
      try {
        gateway.serve(
            request.method().name(),
            request.uri(),
            request.content().toString(StandardCharsets.UTF_8),
            new Asker(ctx, HttpUtil.isKeepAlive(request)));
      } finally {
        request.release();
      }
    } else {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    Runnable told = gone;
    gone = null;
    if (told != null) {
      told.run();
    }
    ctx.fireChannelInactive();
  }

  private final class Asker implements Gateway.Client {
    private final ChannelHandlerContext ctx;
    private final boolean keepAlive;

    Asker(ChannelHandlerContext ctx, boolean keepAlive) {
      this.ctx = ctx;
      this.keepAlive = keepAlive;
    }

    @Override
    public EventLoop loop() {
      return ctx.channel().eventLoop();
    }

    @Override
    public boolean isWritable() {
      return ctx.channel().isWritable();
    }

    @Override
    public void begin(int status) {
      HttpResponse response =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
          .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      if (!keepAlive) {
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      }
      ctx.write(response);
    }

    @Override
    public void part(String json, Runnable taken) {
      ctx.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer(json, StandardCharsets.UTF_8)))
          .addListener(_ -> taken.run());
    }

    @Override
    public void end() {
      var written = ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      if (!keepAlive) {
        written.addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void whenGone(Runnable told) {
      gone = told;
    }
  }
}
