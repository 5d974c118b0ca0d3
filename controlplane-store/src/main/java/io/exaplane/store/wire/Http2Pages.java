// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.wire.page.ClientName;
import io.exaplane.store.wire.page.Gateway;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageConnection;
import io.exaplane.store.wire.page.PageRequest;
import io.exaplane.store.wire.page.Pages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The streams of a connection of HTTP/2 that ask for pages. One event loop. */
final class Http2Pages {
  /** A larger answer counts until its client has taken it. */
  private static final int SMALL_BYTES = 1 << 10;

  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString ACCEPT_ENCODING = AsciiString.cached("accept-encoding");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
  private static final AsciiString JSON = AsciiString.cached("application/json");
  private static final AsciiString GRPC = AsciiString.cached("application/grpc");
  private static final PageAnswer BAD = PageAnswer.text(400, "400 Bad Request\n");
  private static final PageAnswer TOO_MANY = PageAnswer.text(429, "429 Too Many Requests\n");
  private static final PageAnswer TOO_LATE = PageAnswer.text(408, "408 Request Timeout\n");

  /** A request whose body may still come; the gateway reads it, and few pages do. */
  private static final class Asked {
    private final Http2Headers headers;
    private final boolean isGateways;
    private final int mostBodyBytes;
    private final ByteArrayOutputStream body;
    private long bodyBytes;
    private int keptBytes;
    private int timesUnfinished;
    private boolean isTaken;
    private boolean isAnswered;
    private Runnable gone;
    private Runnable writable;

    Asked(Http2Headers headers, boolean isGateways, int mostBodyBytes) {
      boolean isRead = isGateways || mostBodyBytes > Pages.USUAL_BODY_BYTES;
      this.headers = headers;
      this.isGateways = isGateways;
      this.mostBodyBytes = mostBodyBytes;
      this.body = isRead ? new ByteArrayOutputStream() : null;
    }
  }

  private final GrpcHandler<?> handler;
  private final Pages pages;
  private final Gateway gateway;
  private final Http2Connection.PropertyKey key;
  private int open;

  /**
   * @param pages null for connections that have none, as those in the clear
   * @param gateway null if there is none
   */
  Http2Pages(GrpcHandler<?> handler, Pages pages, Gateway gateway) {
    this.handler = handler;
    this.pages = pages;
    this.gateway = gateway;
    this.key = handler.connection().newKey();
  }

  /** Whether a request is no call of gRPC, and pages are served. */
  boolean wants(Http2Headers headers) {
    CharSequence type = headers.get(CONTENT_TYPE);
    return pages != null && (type == null || !AsciiString.of(type).startsWith(GRPC));
  }

  /** Whether a stream asked for a page. */
  boolean has(Http2Stream stream) {
    return stream.getProperty(key) != null;
  }

  void open(ChannelHandlerContext ctx, Http2Stream stream, Http2Headers headers, boolean ends) {
    Asked asked = asked(headers);
    stream.setProperty(key, asked);
    open++;
    if (ends) {
      answer(ctx, stream, asked);
    }
  }

  private Asked asked(Http2Headers headers) {
    String path = headers.path() == null ? "" : headers.path().toString();
    boolean isGateways = gateway != null && gateway.has(path);
    return new Asked(
        headers, isGateways, isGateways ? gateway.mostBodyBytes() : pages.mostBodyBytes(path));
  }

  /** More of a request, or its trailers; nothing if it is none for a page. */
  void more(ChannelHandlerContext ctx, Http2Stream stream, ByteBuf data, boolean ends) {
    Asked asked = stream.getProperty(key);
    if (asked == null || asked.isTaken) {
      return;
    }
    asked.bodyBytes += data.readableBytes();
    if (asked.bodyBytes > asked.mostBodyBytes) {
      asked.isTaken = true;
      send(ctx, stream, asked.headers, PageAnswer.tooLarge(asked.mostBodyBytes));
      return;
    }
    if (asked.body != null && !keep(asked, data)) {
      asked.isTaken = true;
      send(ctx, stream, asked.headers, PageAnswer.TOO_MANY_BODIES);
      return;
    }
    if (ends) {
      answer(ctx, stream, asked);
    }
  }

  /** Whether there is room for more of a body: it counts as unfinished messages of gRPC do. */
  private boolean keep(Asked asked, ByteBuf data) {
    int bytes = data.readableBytes();
    if (!handler.partialBytes().take(bytes)) {
      return false;
    }
    asked.keptBytes += bytes;
    byte[] part = new byte[bytes];
    data.getBytes(data.readerIndex(), part);
    asked.body.writeBytes(part);
    return true;
  }

  private void forget(Asked asked) {
    handler.partialBytes().giveBack(asked.keptBytes);
    asked.keptBytes = 0;
    if (asked.body != null) {
      asked.body.reset();
    }
  }

  /** A stream's client takes more again. */
  void becameWritable(Http2Stream stream) {
    Asked asked = stream.getProperty(key);
    if (asked != null && asked.writable != null && handler.isWritable(stream)) {
      asked.writable.run();
    }
  }

  /** A stream has ended: by its answer, or because the client went. */
  void closed(Http2Stream stream) {
    Asked asked = stream.getProperty(key);
    if (asked == null) {
      return;
    }
    open--;
    forget(asked);
    if (asked.gone != null) {
      Runnable gone = asked.gone;
      asked.gone = null;
      gone.run();
    }
  }

  /** Whether no stream asked for a page. */
  boolean isNone() {
    return open == 0;
  }

  /**
   * Asked from time to time: a request that is not whole when found a few times is ended, and so is
   * an answer that its client does not take. What the gateway answers may go on for long. How long
   * a page may be made, those decide who make it.
   */
  void endIfUnfinished(ChannelHandlerContext ctx, Http2Stream stream) {
    Asked asked = stream.getProperty(key);
    boolean mayGoOn = asked == null || asked.isTaken && (asked.isGateways || !asked.isAnswered);
    if (mayGoOn || ++asked.timesUnfinished <= GrpcHandler.MOST_TIMES_UNFINISHED) {
      return;
    }
    handler.offend();
    if (asked.isTaken) {
      handler
          .encoder()
          .writeRstStream(ctx, stream.id(), Http2Error.CANCEL.code(), ctx.newPromise());
      handler.wrote();
    } else {
      asked.isTaken = true;
      send(ctx, stream, asked.headers, TOO_LATE);
    }
  }

  private void answer(ChannelHandlerContext ctx, Http2Stream stream, Asked asked) {
    asked.isTaken = true;
    asked.timesUnfinished = 0;
    if (asked.isGateways) {
      String body = asked.body.toString(StandardCharsets.UTF_8);
      forget(asked);
      gateway.serve(
          String.valueOf(asked.headers.method()),
          asked.headers.path().toString(),
          body,
          new Asker(ctx, stream, asked));
      return;
    }
    PageRequest request = request(ctx, asked.headers);
    if (request == null) {
      send(ctx, stream, asked.headers, BAD);
      return;
    }
    pages.answer(
        asked.body == null ? request : request.with(asked.body.toByteArray()),
        answer -> {
          if (ctx.executor().inEventLoop()) {
            send(ctx, stream, asked.headers, answer);
          } else {
            ctx.executor().execute(() -> send(ctx, stream, asked.headers, answer));
          }
        });
  }

  private static PageRequest request(ChannelHandlerContext ctx, Http2Headers headers) {
    CharSequence encodings = headers.get(ACCEPT_ENCODING);
    try {
      return PageRequest.of(
              headers.method().toString(),
              headers.path().toString(),
              encodings == null ? "" : encodings.toString(),
              PageConnection.isFromHere(ctx.channel()))
          .by(PageConnection.certificate(ctx.channel()));
    } catch (IllegalArgumentException | NullPointerException e) { // CONNECT has no path
      return null;
    }
  }

  /** The answer, or another one if answers that nobody takes fill the memory. */
  private PageAnswer counted(Http2Stream stream, PageAnswer answer) {
    Asked asked = stream.getProperty(key);
    int bytes = answer.body().length;
    if (asked == null) {
      return answer;
    }
    asked.isAnswered = true;
    forget(asked);
    if (bytes <= SMALL_BYTES) {
      return answer;
    }
    if (!handler.partialBytes().take(bytes)) {
      return TOO_MANY;
    }
    asked.keptBytes += bytes;
    return answer;
  }

  private void send(
      ChannelHandlerContext ctx, Http2Stream stream, Http2Headers asked, PageAnswer page) {
    if (!stream.state().localSideOpen()) {
      return; // taken back meanwhile
    }
    PageAnswer answer = counted(stream, page);
    Http2Headers headers =
        new DefaultHttp2Headers(false, 8).status(Integer.toString(answer.status()));
    answer.headers().forEach(headers::set);
    headers.setInt(CONTENT_LENGTH, answer.body().length);
    boolean isBare = answer.body().length == 0 || "HEAD".contentEquals(asked.method());
    handler.encoder().writeHeaders(ctx, stream.id(), headers, 0, isBare, ctx.newPromise());
    if (!isBare) {
      handler
          .encoder()
          .writeData(
              ctx, stream.id(), Unpooled.wrappedBuffer(answer.body()), 0, true, ctx.newPromise());
    }
    handler.wrote();
  }

  /** Who asked the gateway by a stream. */
  private final class Asker implements Gateway.Client {
    private final ChannelHandlerContext ctx;
    private final Http2Stream stream;
    private final Asked asked;

    Asker(ChannelHandlerContext ctx, Http2Stream stream, Asked asked) {
      this.ctx = ctx;
      this.stream = stream;
      this.asked = asked;
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
      return handler.isWritable(stream);
    }

    private boolean isOpen() {
      return stream.state().localSideOpen();
    }

    @Override
    public void begin(int status) {
      if (isOpen()) {
        Http2Headers headers =
            new DefaultHttp2Headers(false, 4)
                .status(Integer.toString(status))
                .set(CONTENT_TYPE, JSON);
        handler.encoder().writeHeaders(ctx, stream.id(), headers, 0, false, ctx.newPromise());
        handler.wrote();
      }
    }

    @Override
    public void part(String json, Runnable taken) {
      write(Unpooled.copiedBuffer(json, StandardCharsets.UTF_8), false, taken);
    }

    @Override
    public void end() {
      write(Unpooled.EMPTY_BUFFER, true, () -> {});
    }

    private void write(ByteBuf data, boolean ends, Runnable taken) {
      if (isOpen()) {
        ChannelPromise written = ctx.newPromise();
        written.addListener(_ -> taken.run());
        handler.encoder().writeData(ctx, stream.id(), data, 0, ends, written);
        handler.wrote();
      } else {
        data.release();
        taken.run();
      }
    }

    @Override
    public void whenWritable(Runnable told) {
      asked.writable = told;
    }

    @Override
    public void whenGone(Runnable told) {
      asked.gone = told;
    }
  }
}
