// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP/2 connection that carries gRPC calls.
 *
 * @param <L> what the services keep for each event loop
 */
final class GrpcHandler<L> extends Http2ConnectionHandler {
  /** Enough for a request of etcd's default size without waiting for the window. */
  private static final int WINDOW_BYTES = 2 << 20;

  private static final int CONNECTION_WINDOW_BYTES = 16 << 20;
  private static final int MAX_HEADER_LIST_BYTES = 16 << 10;
  private static final int MAX_RESETS_PER_WINDOW = 4_000;
  private static final int RESET_WINDOW_SECONDS = 10;
  private static final long UNFINISHED_PERIOD_S = 10;

  /** So often a message may be found unfinished: it has 20 s at least. */
  static final int MOST_TIMES_UNFINISHED = 2;

  /**
   * A source of which five connections are closed for floods (resets, empty frames) is restrained.
   */
  private static final int FLOOD_WEIGHT = 25;

  /** What clients of gRPC look for to ping less (proposal A8). */
  private static final String TOO_MANY_PINGS = "too_many_pings";

  private final GrpcServices<L> services;
  private final L lane;
  private final CallCounters[] counters;
  private final PartialBytes partialBytes;
  private final byte[] scratch;
  private final PingPolicy pings = new PingPolicy();
  private Restraint restraint;
  private Http2Connection.PropertyKey callKey;
  private ChannelHandlerContext context;
  private boolean reading;
  private boolean written;
  private long heard;
  private long heardAtTick;
  private Future<?> keepAlive;
  private Future<?> unfinished;

  private GrpcHandler(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      GrpcServices<L> services,
      L lane,
      CallCounters[] counters,
      byte[] scratch) {
    super(decoder, encoder, settings);
    this.scratch = scratch;
    this.partialBytes = new PartialBytes(services.partialBytes());
    this.counters = counters;
    this.services = services;
    this.lane = lane;
  }

  /**
   * Makes one for a connection.
   *
   * @param scratch of the event loop, where a message that came in one piece is put
   */
  static <L> GrpcHandler<L> create(
      GrpcServices<L> services, L lane, CallCounters[] counters, byte[] scratch) {
    return new Builder<>(services, lane, counters, scratch).build();
  }

  private static final class Builder<L>
      extends AbstractHttp2ConnectionHandlerBuilder<GrpcHandler<L>, Builder<L>> {
    private final GrpcServices<L> services;
    private final L lane;
    private final CallCounters[] counters;
    private final byte[] scratch;

    Builder(GrpcServices<L> services, L lane, CallCounters[] counters, byte[] scratch) {
      this.scratch = scratch;
      this.counters = counters;
      this.services = services;
      this.lane = lane;
      // All calls are alike: no tree of priorities, which HTTP/2 has given up (RFC 9113, 5.3.2).
      Http2Connection connection = new DefaultHttp2Connection(true);
      connection
          .remote()
          .flowController(
              new DefaultHttp2RemoteFlowController(
                  connection, new UniformStreamByteDistributor(connection)));
      connection(connection);
      frameListener(new Http2FrameAdapter());
      validateHeaders(true);
      gracefulShutdownTimeoutMillis(services.limits().drainMs());
      decoderEnforceMaxRstFramesPerWindow(MAX_RESETS_PER_WINDOW, RESET_WINDOW_SECONDS);
      initialSettings(
          new Http2Settings()
              .maxConcurrentStreams(Integer.MAX_VALUE)
              .initialWindowSize(WINDOW_BYTES)
              .maxHeaderListSize(MAX_HEADER_LIST_BYTES));
    }

    @Override
    protected GrpcHandler<L> build() {
      return super.build();
    }

    @Override
    protected GrpcHandler<L> build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      GrpcHandler<L> handler =
          new GrpcHandler<>(decoder, encoder, settings, services, lane, counters, scratch);
      handler.listen();
      frameListener(handler.new Frames());
      return handler;
    }
  }

  private void listen() {
    callKey = connection().newKey();
    connection()
        .addListener(
            new Http2ConnectionAdapter() {
              @Override
              public void onStreamClosed(Http2Stream stream) {
                GrpcCall call = stream.getProperty(callKey);
                if (call != null) {
                  call.streamClosed();
                }
              }
            });
    connection()
        .remote()
        .flowController()
        .listener(
            stream -> {
              GrpcCall call = stream.getProperty(callKey);
              if (call != null) {
                call.becameWritable();
              }
            });
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    restraint = Restraint.of(ctx.channel());
    ctx.pipeline().addBefore(ctx.name(), null, pings);
    super.handlerAdded(ctx);
    widenConnectionWindow();
    keepAlive =
        ctx.executor()
            .scheduleAtFixedRate(
                this::pingIfSilent,
                services.limits().keepAliveMs(),
                services.limits().keepAliveMs(),
                TimeUnit.MILLISECONDS);
    unfinished =
        ctx.executor()
            .scheduleWithFixedDelay(
                this::endUnfinished, UNFINISHED_PERIOD_S, UNFINISHED_PERIOD_S, TimeUnit.SECONDS);
  }

  /** What is unfinished takes memory that others may want. */
  private void endUnfinished() {
    if (partialBytes.isNone()) {
      return;
    }
    try {
      connection()
          .forEachActiveStream(
              stream -> {
                GrpcCall call = stream.getProperty(callKey);
                if (call != null) {
                  call.endIfUnfinished();
                }
                return true;
              });
    } catch (Http2Exception e) {
      throw new IllegalStateException(e); // nothing of that says so
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
    keepAlive.cancel(false);
    unfinished.cancel(false);
    super.handlerRemoved0(ctx);
  }

  /** A client that is gone without a word would keep its watches for ever. */
  private void pingIfSilent() {
    long pingedAt = heard;
    if (pingedAt == heardAtTick) {
      encoder().writePing(context, false, 0, context.newPromise());
      flush(context);
      context
          .executor()
          .schedule(
              () -> closeIfSilentSince(pingedAt),
              services.limits().keepAliveTimeoutMs(),
              TimeUnit.MILLISECONDS);
    }
    heardAtTick = pingedAt;
  }

  private void closeIfSilentSince(long pingedAt) {
    if (heard == pingedAt) {
      context.channel().close();
    }
  }

  private void widenConnectionWindow() throws Http2Exception {
    Http2Stream all = connection().connectionStream();
    var flow = connection().local().flowController();
    flow.incrementWindowSize(all, CONNECTION_WINDOW_BYTES - flow.initialWindowSize(all));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object msg) throws Exception {
    reading = true;
    heard++;
    super.channelRead(ctx, msg);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (Departures.isOfClient(cause)) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception why) {
    if (why == null) { // a write that failed: the client went
      super.onConnectionError(ctx, outbound, cause, null);
      return;
    }
    boolean isFlood =
        why.error() == Http2Error.ENHANCE_YOUR_CALM && !TOO_MANY_PINGS.equals(why.getMessage());
    restraint.offend(isFlood ? FLOOD_WEIGHT : 1);
    super.onConnectionError(ctx, outbound, cause, why);
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException why) {
    if (!outbound) {
      offend();
    }
    super.onStreamError(ctx, outbound, cause, why);
  }

  /** The client sent what is no HTTP/2, no gRPC or no request. */
  void offend() {
    restraint.offend(1);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    reading = false;
    written = false;
    super.channelReadComplete(ctx); // flushes
  }

  /** What is written while reading goes out at its end; else {@link #flushWritten} sees to it. */
  void wrote() {
    if (!reading && !written) {
      written = true;
      context.executor().execute(this::flushWritten);
    }
  }

  private void flushWritten() {
    if (written) {
      written = false;
      flush(context);
    }
  }

  PartialBytes partialBytes() {
    return partialBytes;
  }

  boolean isWritable(Http2Stream stream) {
    return connection().remote().flowController().isWritable(stream);
  }

  private final class Frames extends Http2FrameAdapter {
    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endOfStream) {
      onHeadersRead(ctx, streamId, headers, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endOfStream) {
      Http2Stream stream = connection().stream(streamId);
      GrpcCall known = stream.getProperty(callKey);
      if (known == null) {
        GrpcCall call = new GrpcCall(GrpcHandler.this, ctx, stream);
        stream.setProperty(callKey, call);
        services.open(call, headers, lane, counters);
        known = call;
      }
      if (endOfStream) {
        known.endOfMessages();
      }
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
      int bytes = data.readableBytes() + padding;
      GrpcCall call = connection().stream(streamId).getProperty(callKey);
      if (call != null) {
        call.received(data, scratch);
        if (endOfStream) {
          call.endOfMessages();
        }
      }
      return bytes;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
      restraint.calledBack();
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
      if (!pings.allows(System.nanoTime(), connection().numActiveStreams() > 0)) {
        throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, TOO_MANY_PINGS);
      }
    }
  }
}
