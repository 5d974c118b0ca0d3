// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.core.error.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;

/** A call of an HTTP/2 connection: cuts what comes into messages and frames what goes. */
final class GrpcCall implements GrpcStream {
  static final int PREFIX_BYTES = 5;

  /** Of which very many can wait. */
  private static final int SMALL_BYTES = 512;

  /** Goes back to the system: a pool would keep what an attack once took. */
  private static final ByteBufAllocator UNFINISHED = UnpooledByteBufAllocator.DEFAULT;

  private static final AsciiString STATUS = AsciiString.cached("grpc-status");
  private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString GRPC = AsciiString.cached("application/grpc");
  private static final Http2Headers HEADERS =
      ReadOnlyHttp2Headers.serverHeaders(false, AsciiString.cached("200"), CONTENT_TYPE, GRPC);
  private static final AsciiString OK = AsciiString.cached("0");
  private static final Http2Headers OK_TRAILERS = ReadOnlyHttp2Headers.trailers(false, STATUS, OK);

  /** Of a call without any message. */
  private static final Http2Headers OK_ALONE =
      ReadOnlyHttp2Headers.serverHeaders(
          false, AsciiString.cached("200"), CONTENT_TYPE, GRPC, STATUS, OK);

  private final GrpcHandler<?> handler;
  private final ChannelHandlerContext ctx;
  private final Http2Stream stream;
  private Http2Headers headers;
  private GrpcListener listener;
  private MessageAssembler assembler;
  private CallCounters counters;
  private long startNanos;
  private long messagesSeen;
  private int timesUnfinished;
  private boolean headersSent;
  private boolean finished;
  private boolean closed;

  GrpcCall(GrpcHandler<?> handler, ChannelHandlerContext ctx, Http2Stream stream) {
    this.handler = handler;
    this.ctx = ctx;
    this.stream = stream;
  }

  /** Has a method take the call. */
  <L> void open(GrpcMethod<L> method, Http2Headers headers, L lane, int maxMessageBytes) {
    this.headers = headers;
    this.listener = method.open(this, lane);
    this.headers = null;
    this.assembler = new MessageAssembler(maxMessageBytes, UNFINISHED, handler.partialBytes());
  }

  void counters(CallCounters counters) {
    this.counters = counters;
    startNanos = System.nanoTime();
    counters.started.add(1);
  }

  private void handled(int code) {
    if (counters != null) {
      counters.handled(code).add(1);
      long nanos = System.nanoTime() - startNanos;
      counters.times.record(nanos);
      counters = null;
      if (listener != null) {
        listener.ended(nanos, code);
      }
    }
  }

  @Override
  public EventExecutor loop() {
    return ctx.executor();
  }

  @Override
  public CharSequence metadata(CharSequence name) {
    return headers.get(name);
  }

  @Override
  public String client() {
    return handler.client(ctx.channel());
  }

  @Override
  public boolean isFirstWrite() {
    return handler.isFirstWrite();
  }

  @Override
  public boolean isOpen() {
    return !closed && !finished;
  }

  @Override
  public boolean isWritable() {
    return handler.isWritable(stream);
  }

  // What comes

  void received(ByteBuf data, byte[] scratch) {
    if (!isOpen() || listener == null) {
      return;
    }
    try {
      assembler.add(data, scratch, this::deliver);
    } catch (MessageAssembler.RefusedException e) {
      if (handler.partialBytes().isGreedy()) {
        handler.offend();
      }
      assembler.close();
      fail(e.status(), e.getMessage());
    }
  }

  /** A message of which a part takes memory must come to its end; asked now and then. */
  void endIfUnfinished() {
    if (!isOpen() || listener == null) {
      return;
    }
    boolean isSame = assembler.isUnfinished() && assembler.messages() == messagesSeen;
    timesUnfinished = isSame ? timesUnfinished + 1 : 0;
    messagesSeen = assembler.messages();
    if (timesUnfinished > GrpcHandler.MOST_TIMES_UNFINISHED) {
      assembler.close();
      handler.offend();
      fail(GrpcStatus.DEADLINE_EXCEEDED, "grpc: a message was not finished in time");
    }
  }

  private void deliver(byte[] array, int offset, int length) {
    if (isOpen()) {
      counters.receivedMessages.add(1);
      counters.receivedBytes.add(length);
      listener.message(array, offset, length);
    }
  }

  void endOfMessages() {
    if (!isOpen() || listener == null) {
      return;
    }
    if (assembler.isUnfinished()) {
      fail(GrpcStatus.INTERNAL, "unexpected EOF"); // as grpc-go says
    } else if (assembler.messages() == 0 && !listener.takesMany()) {
      fail(StoreException.NO_REQUEST);
    } else {
      listener.halfClosed();
    }
  }

  void becameWritable() {
    if (isOpen() && listener != null && isWritable()) {
      listener.writable();
    }
  }

  void streamClosed() {
    if (!closed) {
      closed = true;
      handled(GrpcStatus.CANCELLED);
      if (listener != null) {
        assembler.close();
        listener.closed();
      }
    }
  }

  // What goes

  @Override
  public void reply(byte[] array, int offset, int length) {
    send(array, offset, length);
    finish();
  }

  @Override
  public void send(byte[] array, int offset, int length) {
    if (isOpen() && hasRoom(length)) {
      ByteBuf buffer = ctx.alloc().ioBuffer(PREFIX_BYTES + length);
      buffer.writeByte(0).writeInt(length).writeBytes(array, offset, length);
      counters.sentMessages.add(1);
      counters.sentBytes.add(length);
      write(buffer);
    }
  }

  /**
   * Whether a message can wait here for its client. When clients that take nothing have let half of
   * the memory for buffers be filled, it can't.
   */
  private boolean hasRoom(int length) {
    boolean hasRoom = length <= SMALL_BYTES || isWritable() || !BufferMemory.isScarce(ctx.alloc());
    if (!hasRoom) {
      fail(StoreException.SLOW_READER);
    }
    return hasRoom;
  }

  @Override
  public void begin(long messageBytes) {
    if (isOpen()) {
      counters.sentMessages.add(1);
      write(ctx.alloc().ioBuffer(PREFIX_BYTES).writeByte(0).writeInt((int) messageBytes));
    }
  }

  @Override
  public void part(byte[] array, int offset, int length) {
    if (isOpen() && length > 0) {
      counters.sentBytes.add(length);
      write(ctx.alloc().ioBuffer(length).writeBytes(array, offset, length));
    }
  }

  private void write(ByteBuf buffer) {
    if (!headersSent) {
      headersSent = true;
      handler.encoder().writeHeaders(ctx, stream.id(), HEADERS, 0, false, ctx.newPromise());
    }
    handler.encoder().writeData(ctx, stream.id(), buffer, 0, false, ctx.newPromise());
    handler.wrote();
  }

  @Override
  public void finish() {
    if (isOpen()) {
      handled(GrpcStatus.OK);
      end(headersSent ? OK_TRAILERS : OK_ALONE);
    }
  }

  @Override
  public void fail(StoreException e) {
    fail(e.code().number(), e.getMessage());
  }

  @Override
  public void leave() {
    handler.leave();
  }

  /** Ends the call with a status of gRPC and a text. */
  void fail(int status, String message) {
    if (isOpen()) {
      if (status == GrpcStatus.INTERNAL) {
        handler.offend(); // what came could not be read
      }
      handled(status);
      Http2Headers trailers = new DefaultHttp2Headers(false, 4);
      if (!headersSent) {
        trailers.status("200").set(CONTENT_TYPE, GRPC);
      }
      trailers.set(STATUS, Integer.toString(status)).set(MESSAGE, percentEncoded(message));
      end(trailers);
    }
  }

  /** What is no call of gRPC, where there is nothing else; as grpc-go answers. */
  void refuseType(String message) {
    refuse("415", GrpcStatus.INVALID_ARGUMENT, message);
  }

  /** A call of gRPC is a POST; as grpc-go answers. */
  void refuseMethod(CharSequence method) {
    refuse(
        "405",
        GrpcStatus.INTERNAL,
        "Received a HEADERS frame with :method \"%s\" which should be POST".formatted(method));
  }

  private void refuse(String httpStatus, int status, String message) {
    handler.offend();
    end(
        new DefaultHttp2Headers(false, 4)
            .status(httpStatus)
            .set(CONTENT_TYPE, GRPC)
            .set(STATUS, Integer.toString(status))
            .set(MESSAGE, percentEncoded(message)));
  }

  private void end(Http2Headers trailers) {
    finished = true;
    handler.encoder().writeHeaders(ctx, stream.id(), trailers, 0, true, ctx.newPromise());
    handler.wrote();
  }

  /** gRPC's encoding of messages: printable ASCII but for the percent sign. */
  static String percentEncoded(String message) {
    StringBuilder encoded = new StringBuilder(message.length());
    for (byte b : message.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b <= '~' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append("%02X".formatted(b & 0xff));
      }
    }
    return encoded.toString();
  }
}
