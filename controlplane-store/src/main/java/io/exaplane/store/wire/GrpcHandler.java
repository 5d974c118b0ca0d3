// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.wire.door.Place;
import io.exaplane.store.wire.page.ClientName;
import io.exaplane.store.wire.page.Gateway;
import io.exaplane.store.wire.page.Pages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP/2 connection that carries gRPC calls.
 *
 * @param <L> what the services keep for each event loop
 */
final class GrpcHandler<L> extends Http2ConnectionHandler {
  private static final int CONNECTION_WINDOW_BYTES = 16 << 20;
  private static final long UNFINISHED_PERIOD_S = 10;

  /** Until then a client has sent the rest of its preface, and its settings. */
  private static final long GREETING_S = 20;

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
  private final Http2Pages pages;
  private final OpenCalls openCalls;
  private final Farewell farewell = new Farewell(this);
  private Restraint restraint;
  private Place place;
  private boolean isGreeted;
  private Http2Connection.PropertyKey callKey;
  private ChannelHandlerContext context;
  private boolean reading;
  private boolean written;
  private boolean hasWritten;
  private String client;
  private long heard;
  private long heardAtTick;
  private Future<?> keepAlive;
  private Future<?> unfinished;

  GrpcHandler(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      GrpcServices<L> services,
      Loop<L> loop,
      Pages pages,
      Gateway gateway) {
    super(decoder, encoder, settings);
    this.scratch = loop.scratch();
    this.partialBytes = new PartialBytes(services.partialBytes());
    this.counters = loop.counters();
    this.services = services;
    this.lane = loop.lane();
    this.openCalls = loop.openCalls();
    this.pages = new Http2Pages(this, pages, gateway);
  }

  /**
   * What connections of an event loop share.
   *
   * @param lane what the services keep for it
   * @param scratch where a message that came in one piece is put
   */
  record Loop<L>(L lane, CallCounters[] counters, byte[] scratch, OpenCalls openCalls) {}

  /** Who is connected; as it was when somebody first asked, since a connection forgets it. */
  String client(Channel channel) {
    if (client == null) {
      client = ClientName.of(channel);
    }
    return client;
  }

  /** Whether nobody has asked this before: the client may write much by one connection. */
  boolean isFirstWrite() {
    boolean isFirst = !hasWritten;
    hasWritten = true;
    return isFirst;
  }

  /** Its frames, when it is made. */
  Http2FrameListener listen() {
    callKey = connection().newKey();
    connection()
        .addListener(
            new Http2ConnectionAdapter() {
              @Override
              public void onStreamActive(Http2Stream stream) {
                if (connection().numActiveStreams() == 1) {
                  place.busy();
                }
              }

              @Override
              public void onStreamClosed(Http2Stream stream) {
                if (connection().numActiveStreams() == 0) {
                  place.idle();
                  farewell.closeIfDone(context);
                }
                GrpcCall call = stream.getProperty(callKey);
                if (call != null) {
                  openCalls.leave();
                  call.streamClosed();
                } else {
                  pages.closed(stream);
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
              } else {
                pages.becameWritable(stream);
              }
            });
    return new Frames();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    restraint = Restraint.of(ctx.channel());
    place = Place.of(ctx.channel());
    ctx.pipeline().addBefore(ctx.name(), null, pings);
    super.handlerAdded(ctx);
    widenConnectionWindow();
    ctx.executor().schedule(this::closeIfNotGreeted, GREETING_S, TimeUnit.SECONDS);
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
    if (partialBytes.isNone() && pages.isNone()) {
      return;
    }
    try {
      connection()
          .forEachActiveStream(
              stream -> {
                GrpcCall call = stream.getProperty(callKey);
                if (call != null) {
                  call.endIfUnfinished();
                } else {
                  pages.endIfUnfinished(context, stream);
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

  private void closeIfNotGreeted() {
    if (!isGreeted) {
      context.close();
    }
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

  /** Asks the client to come by another connection, see {@link Farewell}. */
  void leave() {
    farewell.say(context);
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
      boolean isFirst = known == null && !pages.has(stream);
      if (isFirst && pages.wants(headers)) {
        pages.open(ctx, stream, headers, endOfStream);
      } else if (isFirst) {
        known = new GrpcCall(GrpcHandler.this, ctx, stream);
        stream.setProperty(callKey, known);
        openCalls.enter();
        services.open(known, headers, lane, counters, openCalls.isTooMany());
      } else if (known == null) {
        pages.more(ctx, stream, Unpooled.EMPTY_BUFFER, endOfStream);
      }
      if (known != null && endOfStream) {
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
      } else {
        pages.more(ctx, connection().stream(streamId), data, endOfStream);
      }
      return bytes;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
      isGreeted = true;
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
