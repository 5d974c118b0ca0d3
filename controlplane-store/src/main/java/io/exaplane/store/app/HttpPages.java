// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** The pages that probes and tools ask for beside gRPC. */
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final String VERSION =
      "{\"etcdserver\":\"%s\",\"etcdcluster\":\"%s\",\"storage\":\"%s\"}";

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    String path = request.uri().replaceFirst("\\?.*", "");
    String minor = StoreConfig.ETCD_VERSION.replaceFirst("\\.\\d+$", ".0");
    FullHttpResponse response =
        switch (path) {
          case "/version" ->
              page("application/json", VERSION.formatted(StoreConfig.ETCD_VERSION, minor, minor));
          case "/health" -> page("application/json", "{\"health\":\"true\",\"reason\":\"\"}");
          case "/livez", "/readyz" -> page("text/plain; charset=utf-8", "ok\n");
          default ->
              page(
                  HttpResponseStatus.NOT_FOUND,
                  "text/plain; charset=utf-8",
                  "404 page not found\n");
        };
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    HttpUtil.setKeepAlive(response, keepAlive);
    var written = ctx.writeAndFlush(response);
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static FullHttpResponse page(String type, String text) {
    return page(HttpResponseStatus.OK, type, text);
  }

  private static FullHttpResponse page(HttpResponseStatus status, String type, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    return response;
  }
}
