// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.Promise;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * HTTP/2 on one connection that exists. Used on its event loop. The windows of flow control are
 * those of Go's client, and so is the ping of a silent connection, as in kubelets.
 */
final class Session extends Http2EventAdapter {
  private static final int STREAM_WINDOW = 4 << 20;
  private static final int CONNECTION_WINDOW = 1 << 30;

  /** Without a limit of the server, a connection still gets no more streams than these. */
  private static final int MOST_STREAMS = 1_000;

  /** client-go's HTTP2_READ_IDLE_TIMEOUT_SECONDS; without an answer by the next time, it closes. */
  private static final long PING_SECONDS = 30;

  private static final int FLUSHES = 64;
  private static final String CLOSED = "the connection was closed";

  private final Server server;
  private final Channel channel;
  private final Http2Connection connection = new DefaultHttp2Connection(false);
  private final Http2ConnectionHandler handler;
  private final IntObjectMap<Exchange> exchanges = new IntObjectHashMap<>();
  private final Promise<Integer> limit;
  private ChannelHandlerContext context;
  private boolean isGoingAway;
  private boolean wasHeard = true;
  private boolean isPinged;

  private Session(Channel channel, Server server) {
    this.server = server;
    this.channel = channel;
    this.limit = channel.eventLoop().newPromise();
    connection.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            Exchange exchange = exchanges.remove(stream.id());
            if (exchange != null) {
              exchange.fail(CLOSED);
            }
          }

          @Override
          public void onGoAwayReceived(int last, long error, ByteBuf data) {
            isGoingAway = true;
          }
        });
    handler =
        new Http2ConnectionHandlerBuilder()
            .connection(connection)
            .initialSettings(
                Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(STREAM_WINDOW))
            .frameListener(this)
            .encoderEnforceMaxConcurrentStreams(true)
            .gracefulShutdownTimeoutMillis(0)
            .build();
  }

  /** Makes a session of a channel that connects. */
  static void prepare(Channel channel, Server server, Promise<Session> made) {
    channel.pipeline().addLast(new FlushConsolidationHandler(FLUSHES, true));
    channel.closeFuture().addListener(done -> made.tryFailure(new IllegalStateException(CLOSED)));
    Session session = new Session(channel, server);
    if (server.tls().isEmpty()) {
      // HTTP/2 without TLS, by prior knowledge.
      channel.pipeline().addLast(session.handler, session.whenActive(made));
      return;
    }
    SslHandler tls = server.tls().get().newHandler(channel.alloc(), server.host(), server.port());
    if (server.checksName()) {
      SSLEngine engine = tls.engine();
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      engine.setSSLParameters(parameters);
    }
    channel.pipeline().addLast(tls);
    channel
        .pipeline()
        .addLast(
            new ApplicationProtocolNegotiationHandler("none") {
              @Override
              protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
                if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                  ctx.pipeline().addLast(session.handler);
                  session.ready(made);
                } else {
                  made.tryFailure(
                      new IllegalStateException(
                          "%s does not speak HTTP/2; name the address of a kube-apiserver"
                              .formatted(server.url())));
                  ctx.close();
                }
              }

              @Override
              protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
                made.tryFailure(cause);
                ctx.close();
              }
            });
  }

  private ChannelInboundHandlerAdapter whenActive(Promise<Session> made) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelActive(ChannelHandlerContext ctx) {
        ready(made);
      }
    };
  }

  private void ready(Promise<Session> made) {
    context = channel.pipeline().context(handler);
    channel
        .closeFuture()
        .addListener(
            done -> {
              isGoingAway = true;
              limit.tryFailure(new IllegalStateException(CLOSED));
            });
    channel.eventLoop().schedule(this::listen, PING_SECONDS, TimeUnit.SECONDS);
    made.trySuccess(this);
  }

  boolean isUsable() {
    return channel.isActive() && !isGoingAway;
  }

  /** Tells how many streams the server allows, once its settings are here. */
  void limit(Promise<Integer> asked) {
    limit.addListener(
        done -> {
          if (done.isSuccess()) {
            asked.trySuccess(limit.getNow());
          } else {
            asked.tryFailure(done.cause());
          }
        });
  }

  void start(Exchange exchange) {
    if (exchange.isEnded()) {
      return;
    }
    int id = isUsable() ? connection.local().incrementAndGetNextStreamId() : -1;
    if (id < 0) {
      isGoingAway = true;
      exchange.fail(CLOSED);
      return;
    }
    Call call = exchange.call();
    exchanges.put(id, exchange);
    if (!call.timeout().isZero()) {
      exchange.timesOutBy(
          channel
              .eventLoop()
              .schedule(
                  () -> timedOut(id, exchange), call.timeout().toMillis(), TimeUnit.MILLISECONDS));
    }
    ChannelPromise sent = channel.newPromise();
    sent.addListener(
        done -> {
          if (!done.isSuccess() && exchanges.remove(id) != null) {
            exchange.fail(CLOSED);
          }
        });
    boolean isEmpty = call.body().length == 0;
    handler.encoder().writeHeaders(context, id, headers(call), 0, isEmpty, sent);
    if (!isEmpty) {
      handler
          .encoder()
          .writeData(
              context, id, Unpooled.wrappedBuffer(call.body()), 0, true, channel.newPromise());
    }
    handler.flush(context);
  }

  private Http2Headers headers(Call call) {
    Http2Headers headers =
        new DefaultHttp2Headers(false)
            .method(call.method())
            .scheme(server.scheme())
            .authority(server.authority())
            .path(server.prefix() + call.path())
            .add("accept", call.accept() + ", application/json")
            .add("user-agent", "exactl-bench");
    if (!call.contentType().isEmpty()) {
      headers.add("content-type", call.contentType());
    }
    if (!server.token().isEmpty()) {
      headers.add("authorization", "Bearer " + server.token());
    }
    if (!call.node().isEmpty()) {
      headers.add("impersonate-user", "system:node:" + call.node());
      headers.add("impersonate-group", "system:nodes");
    }
    return headers;
  }

  private void timedOut(int id, Exchange exchange) {
    exchange.fail("no answer within " + exchange.call().timeout().toMillis() + " ms");
    reset(id);
  }

  /** Tells the server that nobody waits for an answer. */
  void reset(Exchange exchange) {
    for (Map.Entry<Integer, Exchange> each : exchanges.entrySet()) {
      if (each.getValue() == exchange) {
        reset(each.getKey());
        return;
      }
    }
  }

  private void reset(int id) {
    exchanges.remove(id);
    if (channel.isActive()) {
      handler.encoder().writeRstStream(context, id, Http2Error.CANCEL.code(), channel.newPromise());
      handler.flush(context);
    }
  }

  void close() {
    channel.close();
  }

  /** A silent connection is asked once whether it lives. */
  private void listen() {
    if (!channel.isActive()) {
      return;
    }
    if (!wasHeard && isPinged) {
      channel.close();
      return;
    }
    if (!wasHeard) {
      handler.encoder().writePing(context, false, 1, channel.newPromise());
      handler.flush(context);
    }
    isPinged = !wasHeard;
    wasHeard = false;
    channel.eventLoop().schedule(this::listen, PING_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext ctx, long data) {
    wasHeard = true;
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
      throws Http2Exception {
    wasHeard = true;
    if (!limit.isDone()) {
      Http2Stream whole = connection.connectionStream();
      connection.local().flowController().incrementWindowSize(whole, CONNECTION_WINDOW);
      Long allowed = settings.maxConcurrentStreams();
      limit.trySuccess(
          allowed == null ? MOST_STREAMS : (int) Math.min(allowed, (long) MOST_STREAMS));
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean isEnd) {
    wasHeard = true;
    Exchange exchange = exchanges.get(id);
    if (exchange == null) {
      return;
    }
    exchange.headers(headers);
    if ("401".contentEquals(headers.status() == null ? "" : headers.status())) {
      // A plugin of the kubeconfig may take long.
      Thread.startVirtualThread(server::unauthorized);
    }
    if (isEnd) {
      finish(id, exchange);
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int id,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean isEnd) {
    onHeadersRead(ctx, id, headers, padding, isEnd);
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean isEnd) {
    wasHeard = true;
    int bytes = data.readableBytes() + padding;
    Exchange exchange = exchanges.get(id);
    if (exchange != null) {
      exchange.data(data);
      if (isEnd) {
        finish(id, exchange);
      }
    }
    return bytes;
  }

  private void finish(int id, Exchange exchange) {
    exchanges.remove(id);
    exchange.complete();
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int id, long error) {
    Exchange exchange = exchanges.remove(id);
    if (exchange != null) {
      exchange.fail("the server reset the stream with code " + error);
    }
  }
}
