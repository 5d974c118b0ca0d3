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
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/**
 * Gives a connection's requests of HTTP/1.1 to the gateway, if the path is the gateway's. One event
 * loop; one request at a time, which {@link OneAtATime} sees to.
 */
final class GatewayConnection extends ChannelInboundHandlerAdapter {
  private final Gateway gateway;
  private final Bodies bodies;
  private boolean isEnding;
  private Runnable gone;
  private Runnable writable;

  GatewayConnection(Gateway gateway, Bodies bodies) {
    this.gateway = gateway;
    this.bodies = bodies;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isEnding) {
      ReferenceCountUtil.release(message); // of a connection that closes behind a refusal
      return;
    }
    if (message instanceof FullHttpRequest broken && PageConnection.refusal(broken) != null) {
      // What came of it is not carried out: its body may be a part, or another request's.
      isEnding = true;
      if (gateway.has(broken.uri())) {
        bodies.read(broken.content().readableBytes());
      }
      ctx.fireChannelRead(broken);
      return;
    }
    if (message instanceof FullHttpRequest request && gateway.has(request.uri())) {
      String body;
      try {
        body = request.content().toString(StandardCharsets.UTF_8);
      } finally {
        bodies.read(request.content().readableBytes());
        request.release();
      }
      gateway.serve(request.method().name(), request.uri(), body, new Asker(ctx, request));
    } else {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (writable != null && ctx.channel().isWritable()) {
      writable.run();
    }
    ctx.fireChannelWritabilityChanged();
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
    private final boolean hasChunks;

    /** Without chunks, which HTTP/1.0 does not know, an answer ends with its connection. */
    Asker(ChannelHandlerContext ctx, HttpRequest request) {
      this.ctx = ctx;
      this.hasChunks = request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
      this.keepAlive = hasChunks && HttpUtil.isKeepAlive(request);
    }

    @Override
    public EventLoop loop() {
      return ctx.channel().eventLoop();
    }

    @Override
    public String name() {
      return ClientName.of(ctx.channel());
    }

    @Override
    public boolean isWritable() {
      return ctx.channel().isWritable();
    }

    @Override
    public void begin(int status) {
      HttpResponse response =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
      HttpUtil.setTransferEncodingChunked(response, hasChunks);
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
    public void whenWritable(Runnable told) {
      writable = told;
    }

    @Override
    public void whenGone(Runnable told) {
      gone = told;
    }
  }
}
