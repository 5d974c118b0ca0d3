// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageConnection;
import io.exaplane.store.wire.page.PageRequest;
import io.exaplane.store.wire.page.Pages;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;

/** The streams of a connection of HTTP/2 that ask for pages. One event loop. */
final class Http2Pages {
  private static final int MOST_BODY_BYTES = 64 << 10;
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString ACCEPT_ENCODING = AsciiString.cached("accept-encoding");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
  private static final AsciiString GRPC = AsciiString.cached("application/grpc");
  private static final PageAnswer BAD = PageAnswer.text(400, "400 Bad Request\n");
  private static final PageAnswer TOO_LARGE =
      PageAnswer.text(413, "413 Request Entity Too Large\n");

  /** A request whose body, which no page reads, may still come. */
  private final class Asked {
    private final Http2Headers headers;
    private long bodyBytes;
    private boolean isTaken;

    Asked(Http2Headers headers) {
      this.headers = headers;
    }
  }

  private final GrpcHandler<?> handler;
  private final Pages pages;
  private final Http2Connection.PropertyKey key;

  /**
   * @param pages null for connections that have none, as those in the clear
   */
  Http2Pages(GrpcHandler<?> handler, Pages pages) {
    this.handler = handler;
    this.pages = pages;
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
    Asked asked = new Asked(headers);
    stream.setProperty(key, asked);
    if (ends) {
      answer(ctx, stream, asked);
    }
  }

  /** More of a request, or its trailers; nothing if it is none for a page. */
  void more(ChannelHandlerContext ctx, Http2Stream stream, int bytes, boolean ends) {
    Asked asked = stream.getProperty(key);
    if (asked == null || asked.isTaken) {
      return;
    }
    asked.bodyBytes += bytes;
    if (asked.bodyBytes > MOST_BODY_BYTES) {
      asked.isTaken = true;
      send(ctx, stream, asked.headers, TOO_LARGE);
    } else if (ends) {
      answer(ctx, stream, asked);
    }
  }

  private void answer(ChannelHandlerContext ctx, Http2Stream stream, Asked asked) {
    asked.isTaken = true;
    PageRequest request = request(ctx, asked.headers);
    if (request == null) {
      send(ctx, stream, asked.headers, BAD);
      return;
    }
    pages.answer(
        request,
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
          PageConnection.isFromHere(ctx.channel()));
    } catch (IllegalArgumentException | NullPointerException e) { // CONNECT has no path
      return null;
    }
  }

  private void send(
      ChannelHandlerContext ctx, Http2Stream stream, Http2Headers asked, PageAnswer answer) {
    if (!stream.state().localSideOpen()) {
      return; // taken back meanwhile
    }
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
}
