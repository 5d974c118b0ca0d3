// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.exaplane.store.wire.door.Place;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * One connection of HTTP/1.1: answers one request after the other, in their order. Header, body,
 * requests under way and times are bounded; who passes a bound is told so, and closed. One event
 * loop.
 */
public final class PageConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final int MOST_LINE_BYTES = 4 << 10;
  private static final int MOST_HEADER_BYTES = 16 << 10;
  private static final int MOST_CHUNK_BYTES = 8 << 10;

  /** Requests that a client may send before it has the answer to the first. */
  private static final int MOST_WAITING = 16;

  private record Asked(PageRequest request, PageAnswer refusal, boolean keepAlive) {}

  private final Pages pages;
  private final Bodies bodies;
  private final boolean isBehindGateway;
  private final Runnable offence;
  private final PageTimes times = new PageTimes();
  private final Queue<Asked> waiting = new ArrayDeque<>();
  private boolean isAnswering;
  private boolean isEnding;

  private PageConnection(Pages pages, Bodies bodies, boolean isBehindGateway, Runnable offence) {
    this.pages = pages;
    this.bodies = bodies;
    this.isBehindGateway = isBehindGateway;
    this.offence = offence;
  }

  /**
   * The handlers of a connection, in their order.
   *
   * @param gateway null if there is none
   * @param memory for the bodies of the gateway's requests and of pages that read them
   * @param offence is told of what is no request, or passes a bound
   */
  public static List<ChannelHandler> handlers(
      Pages pages, Gateway gateway, BodyMemory memory, Runnable offence) {
    Bodies whole = new Bodies(pages, gateway, memory);
    PageConnection connection = new PageConnection(pages, whole, gateway != null, offence);
    List<ChannelHandler> handlers = new ArrayList<>();
    handlers.add(connection.times);
    handlers.add(new HttpServerCodec(MOST_LINE_BYTES, MOST_HEADER_BYTES, MOST_CHUNK_BYTES));
    handlers.add(whole);
    if (gateway != null) {
      handlers.add(new OneAtATime(connection.times, MOST_WAITING, offence));
      handlers.add(new GatewayConnection(gateway, whole));
    }
    handlers.add(connection);
    return handlers;
  }

  /** Whether a client is on this machine. */
  public static boolean isFromHere(Channel channel) {
    return !(channel.remoteAddress() instanceof InetSocketAddress internet)
        || internet.getAddress().isLoopbackAddress();
  }

  /** The certificate that a client showed in its handshake, which checked it; empty without one. */
  public static Optional<X509Certificate> certificate(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      return Optional.empty();
    }
    try {
      Certificate[] chain = tls.engine().getSession().getPeerCertificates();
      return chain[0] instanceof X509Certificate client ? Optional.of(client) : Optional.empty();
    } catch (SSLPeerUnverifiedException none) {
      return Optional.empty();
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (isEnding) {
      return;
    }
    if (waiting.size() >= MOST_WAITING) {
      isEnding = true;
      offence.run();
      ctx.close();
      return;
    }
    PageAnswer refusal = refusal(request);
    Asked asked = refusal == null ? asked(ctx, request) : new Asked(null, refusal, false);
    isEnding = !asked.keepAlive();
    waiting.add(asked);
    next(ctx);
  }

  private Asked asked(ChannelHandlerContext ctx, FullHttpRequest request) {
    try {
      PageRequest page =
          PageRequest.of(
                  request.method().name(),
                  request.uri(),
                  String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING)),
                  isFromHere(ctx.channel()))
              .by(certificate(ctx.channel()));
      return new Asked(
          isBodyRead(request) ? page.with(ByteBufUtil.getBytes(request.content())) : page,
          null,
          HttpUtil.isKeepAlive(request));
    } catch (IllegalArgumentException e) {
      return new Asked(null, PageAnswer.text(400, "400 Bad Request\n"), false);
    }
  }

  private boolean isBodyRead(FullHttpRequest request) {
    return pages.mostBodyBytes(request.uri()) > Pages.USUAL_BODY_BYTES;
  }

  /** What is wrong with a request whatever it asks for; null if nothing is. */
  static PageAnswer refusal(FullHttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return switch (request.decoderResult().cause()) {
        case TooLongHttpHeaderException _ ->
            PageAnswer.text(431, "431 Request Header Fields Too Large\n");
        case TooLongHttpLineException _ -> PageAnswer.text(414, "414 URI Too Long\n");
        default -> PageAnswer.text(400, "400 Bad Request\n");
      };
    }
    if (request.protocolVersion().majorVersion() != 1) {
      return PageAnswer.text(505, "505 HTTP Version Not Supported\n");
    }
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    boolean isLater = request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
    if (hosts.size() > 1 || isLater && hosts.isEmpty()) {
      return PageAnswer.text(400, "400 Bad Request: one Host header is required\n");
    }
    return null;
  }

  /** Nobody waits for an answer that can't be made; those of handlers before come here, too. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
    ctx.fireExceptionCaught(cause);
  }

  private void next(ChannelHandlerContext ctx) {
    Asked asked = isAnswering ? null : waiting.poll();
    if (asked == null) {
      return;
    }
    isAnswering = true;
    times.answering();
    Place.of(ctx.channel()).busy();
    if (asked.refusal() != null) {
      offence.run();
      send(ctx, asked, asked.refusal());
    } else {
      pages.answer(
          asked.request(),
          answer -> {
            if (ctx.executor().inEventLoop()) {
              send(ctx, asked, answer);
            } else {
              ctx.executor().execute(() -> sendOrClose(ctx, asked, answer));
            }
          });
    }
  }

  private void sendOrClose(ChannelHandlerContext ctx, Asked asked, PageAnswer answer) {
    try {
      send(ctx, asked, answer);
    } catch (RuntimeException e) {
      exceptionCaught(ctx, e);
    }
  }

  private void send(ChannelHandlerContext ctx, Asked asked, PageAnswer answer) {
    if (asked.request() != null) {
      bodies.read(asked.request().body().length);
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    HttpUtil.setKeepAlive(response, asked.keepAlive());
    times.sending();
    var written = ctx.writeAndFlush(response);
    if (asked.keepAlive()) {
      written.addListener(_ -> answered(ctx));
    } else {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void answered(ChannelHandlerContext ctx) {
    isAnswering = false;
    if (!isBehindGateway) { // else who lets requests through says so
      Place.of(ctx.channel()).idle();
      times.idle();
    }
    next(ctx);
  }
}
