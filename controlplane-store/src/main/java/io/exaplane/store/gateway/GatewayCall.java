// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A call whose client speaks JSON: one answer, or one a line as they come. Belongs to its
 * connection's event loop.
 */
final class GatewayCall implements GrpcStream {
  /** Of one message: JSON takes several times as much, and is made whole. */
  private static final long MOST_MESSAGE_BYTES = 4 << 20;

  private static final String JSON = "application/json";

  /** How often is looked whether the client takes more. */
  private static final long LOOK_MS = 20;

  private final ChannelHandlerContext ctx;
  private final Schema.Rpc rpc;
  private final Transcoder transcoder;
  private final boolean keepAlive;
  private GrpcListener listener;
  private final ChannelFutureListener left = _ -> close();
  private Future<?> looking;
  private byte[] parts;
  private int filled;
  private boolean begun;
  private boolean finished;

  GatewayCall(ChannelHandlerContext ctx, Schema.Rpc rpc, Transcoder transcoder, boolean keepAlive) {
    this.ctx = ctx;
    this.rpc = rpc;
    this.transcoder = transcoder;
    this.keepAlive = keepAlive;
  }

  /** Has somebody serve it, until it ends or the client leaves. */
  void serveBy(GrpcListener listener) {
    this.listener = listener;
    ctx.channel().closeFuture().addListener(left);
    looking =
        ctx.executor().scheduleAtFixedRate(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    if (isOpen() && isWritable()) {
      listener.writable();
    }
  }

  /** The call is over; told once. */
  private void close() {
    finished = true;
    if (looking != null) {
      looking.cancel(false);
      looking = null;
      ctx.channel().closeFuture().removeListener(left);
      listener.closed();
    }
  }

  @Override
  public EventExecutor loop() {
    return ctx.executor();
  }

  @Override
  public CharSequence metadata(CharSequence name) {
    return null;
  }

  @Override
  public boolean isOpen() {
    return !finished;
  }

  @Override
  public boolean isWritable() {
    return ctx.channel().isWritable();
  }

  @Override
  public void reply(byte[] array, int offset, int length) {
    send(array, offset, length);
    finish();
  }

  @Override
  public void send(byte[] array, int offset, int length) {
    if (!isOpen()) {
      return;
    }
    if (length > MOST_MESSAGE_BYTES) {
      fail(StoreException.answerTooLarge(length, MOST_MESSAGE_BYTES));
      return;
    }
    StringBuilder json = new StringBuilder();
    if (rpc.isStream()) {
      json.append("{\"result\":");
    }
    transcoder.decode(rpc.response(), array, offset, length, json);
    if (rpc.isStream()) {
      json.append("}\n");
    }
    begin(HttpResponseStatus.OK);
    write(json);
  }

  @Override
  public void begin(long messageBytes) {
    if (messageBytes > MOST_MESSAGE_BYTES) {
      fail(StoreException.answerTooLarge(messageBytes, MOST_MESSAGE_BYTES));
    } else {
      parts = new byte[(int) messageBytes];
      filled = 0;
    }
  }

  @Override
  public void part(byte[] array, int offset, int length) {
    if (isOpen()) {
      System.arraycopy(array, offset, parts, filled, length);
      filled += length;
      if (filled == parts.length) {
        send(parts, 0, filled);
        parts = null;
      }
    }
  }

  private void begin(HttpResponseStatus status) {
    if (begun) {
      return;
    }
    begun = true;
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, JSON)
        .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    if (!keepAlive) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    ctx.write(response);
  }

  private void write(StringBuilder json) {
    ctx.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer(json, StandardCharsets.UTF_8)));
  }

  @Override
  public void finish() {
    if (isOpen()) {
      end();
    }
  }

  private void end() {
    begin(HttpResponseStatus.OK);
    var written = ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
    close();
  }

  @Override
  public void fail(StoreException e) {
    fail(e.code().number(), e.getMessage());
  }

  /** Ends it with a code of gRPC and a text, as etcd's gateway does. */
  void fail(int code, String message) {
    if (!isOpen()) {
      return;
    }
    StringBuilder json = new StringBuilder();
    if (begun) {
      json.append("{\"error\":");
    }
    json.append("{\"code\":").append(code).append(",\"message\":");
    Transcoder.text(message, json);
    json.append('}').append(begun ? "}\n" : "");
    begin(HttpCodes.of(code));
    write(json);
    end();
  }
}
