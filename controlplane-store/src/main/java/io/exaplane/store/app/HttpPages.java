// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.StoreServices;
import io.exaplane.store.app.metrics.MetricsPage;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The pages that probes and tools ask for beside gRPC. */
@Sharable
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String VERSION =
      "{\"etcdserver\":\"%s\",\"etcdcluster\":\"%s\",\"storage\":\"%s\"}";
  private static final String NOT_YET =
      "the store is still being read, or others wait for that; ask again in a few seconds\n";
  private static final long USAGE_PATIENCE_MS = 10_000;
  private static final String HEALTH = "{\"health\":\"%s\",\"reason\":\"%s\"}";

  private final StoreServices services;
  private final Supplier<MetricsPage> metrics;

  HttpPages(StoreServices services, Supplier<MetricsPage> metrics) {
    this.services = services;
    this.metrics = metrics;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    String path = request.uri().replaceFirst("\\?.*", "");
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    String minor = StoreConfig.ETCD_VERSION.replaceFirst("\\.\\d+$", ".0");
    switch (path) {
      case "/version" ->
          answer(ctx, keepAlive, JSON, VERSION.formatted(StoreConfig.ETCD_VERSION, minor, minor));
      case "/health" -> health(ctx, keepAlive, request.uri().contains("exclude=NOSPACE"));
      case "/livez", "/readyz" -> answer(ctx, keepAlive, TEXT, "ok\n");
      // It asks every thread of the store, this one, too.
      case "/metrics" ->
          Thread.ofVirtual()
              .name("metrics")
              .start(() -> answer(ctx, keepAlive, PROMETHEUS, metrics.get().text()));
      // It reads the whole store, by the maintenance thread.
      case "/usage" -> usage(ctx, keepAlive, UsagePage.top(request.uri()));
      default -> answer(ctx, keepAlive, HttpResponseStatus.NOT_FOUND, TEXT, "404 page not found\n");
    }
  }

  private void usage(ChannelHandlerContext ctx, boolean keepAlive, int top) {
    services
        .usage()
        .orTimeout(USAGE_PATIENCE_MS, TimeUnit.MILLISECONDS)
        .whenComplete(
            (usage, failure) -> {
              if (failure == null) {
                answer(ctx, keepAlive, JSON, UsagePage.text(usage, top));
              } else {
                answer(ctx, keepAlive, HttpResponseStatus.SERVICE_UNAVAILABLE, TEXT, NOT_YET);
              }
            });
  }

  /** As etcd's: an alarm of space makes a store unhealthy, unless the probe does not mind. */
  private void health(ChannelHandlerContext ctx, boolean keepAlive, boolean anySpace) {
    String reason = services.isStalled() ? "JOURNAL CAN'T BE WRITTEN" : "";
    if (reason.isEmpty() && services.isFull() && !anySpace) {
      reason = "ALARM NOSPACE";
    }
    boolean healthy = reason.isEmpty();
    answer(
        ctx,
        keepAlive,
        healthy ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
        JSON,
        HEALTH.formatted(healthy, reason));
  }

  private static void answer(
      ChannelHandlerContext ctx, boolean keepAlive, String type, String text) {
    answer(ctx, keepAlive, HttpResponseStatus.OK, type, text);
  }

  private static void answer(
      ChannelHandlerContext ctx,
      boolean keepAlive,
      HttpResponseStatus status,
      String type,
      String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    HttpUtil.setKeepAlive(response, keepAlive);
    var written = ctx.writeAndFlush(response);
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }
}
