// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.door.Places;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection whose client is asked to come by another one: nothing that is open is lost. */
class LeaveTest {
  private static final long HOUR_MS = 3_600_000;
  private static final byte END_STREAM = 1;
  private static final byte END_HEADERS = 4;

  private final GrpcServices<Object> services =
      new GrpcServices<>(new GrpcServices.Limits(1 << 20, 1_000, HOUR_MS, HOUR_MS, 100, 100));
  private final Source source = new Source("192.0.2.1", () -> 0);
  private final DefaultHttp2HeadersEncoder headers = new DefaultHttp2HeadersEncoder();
  private final List<GrpcStream> open = new ArrayList<>();

  /** What was sent, as the last stream of a GOAWAY or the number of a stream that ended. */
  private final List<String> sent = new ArrayList<>();

  private EmbeddedChannel channel;

  @BeforeEach
  void connect() throws Exception {
    services.add(
        "/test/Open",
        (stream, _) -> {
          open.add(stream);
          return (_, _, _) -> {};
        });
    services.add(
        "/test/Moved",
        (stream, _) ->
            (_, _, _) -> {
              stream.fail(StoreException.MOVED);
              stream.leave();
            });
    channel = new EmbeddedChannel();
    channel.freezeTime();
    source.connect();
    new Places("test", new Places.Limits(10, 10, "test"), () -> 0)
        .take(source, channel::close, () -> {})
        .occupy(channel);
    channel.pipeline().addLast(new Restraint(source));
    channel
        .pipeline()
        .addLast(
            new GrpcHandlerBuilder<>(
                    services,
                    new GrpcHandler.Loop<>(
                        new Object(),
                        services.newCounters(),
                        new byte[1 << 16],
                        new OpenCalls(100)),
                    null,
                    null)
                .build());
    channel.writeInbound(Http2CodecUtil.connectionPrefaceBuf());
    send(Http2FrameTypes.SETTINGS, (byte) 0, 0, Unpooled.EMPTY_BUFFER);
    sent.clear();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void whatIsOpenAndWhatIsOnItsWayGoesOn() throws Exception {
    call(1, "/test/Open");
    call(3, "/test/Moved");
    assertThat(sent).containsExactly("end 3", "goaway " + Integer.MAX_VALUE);
    call(5, "/test/Open");
    call(7, "/test/Moved");
    assertThat(sent).as("asked once").hasSize(3).endsWith("end 7");
    assertThat(open).as("what was on its way is taken").hasSize(2);

    pass();
    call(9, "/test/Open");
    assertThat(open).as("a client that did not listen is served").hasSize(3);
    for (GrpcStream each : open) {
      assertThat(channel.isOpen()).isTrue();
      each.finish();
      flush();
    }
    assertThat(sent).contains("end 1", "end 5", "end 9").endsWith("goaway 9");
    assertThat(channel.isOpen()).as("nothing is open any more").isFalse();
  }

  @Test
  void withoutCallsItClosesWhenNoneCanComeAnyMore() throws Exception {
    call(1, "/test/Moved");
    assertThat(channel.isOpen()).isTrue();
    pass();
    assertThat(channel.isOpen()).isFalse();
  }

  private void call(int stream, String path) throws Exception {
    ByteBuf block = Unpooled.buffer();
    headers.encodeHeaders(
        stream,
        new DefaultHttp2Headers()
            .method("POST")
            .scheme("http")
            .authority("store")
            .path(path)
            .set("content-type", "application/grpc"),
        block);
    send(Http2FrameTypes.HEADERS, END_HEADERS, stream, block);
    send(Http2FrameTypes.DATA, END_STREAM, stream, Unpooled.buffer().writeZero(5));
  }

  private void pass() {
    channel.advanceTimeBy(2, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    flush();
  }

  private void flush() {
    channel.runPendingTasks();
    read();
  }

  private void send(byte type, byte flags, int stream, ByteBuf payload) {
    ByteBuf frame = Unpooled.buffer();
    Http2CodecUtil.writeFrameHeader(
        frame, payload.readableBytes(), type, new Http2Flags(flags), stream);
    frame.writeBytes(payload);
    payload.release();
    channel.writeInbound(frame);
    flush();
  }

  private void read() {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      all.writeBytes(part);
      part.release();
    }
    while (all.isReadable()) {
      int bytes = all.readUnsignedMedium();
      byte type = all.readByte();
      byte flags = all.readByte();
      int stream = all.readInt();
      if (type == Http2FrameTypes.GO_AWAY) {
        sent.add("goaway " + all.getInt(all.readerIndex()));
      } else if (type == Http2FrameTypes.HEADERS && (flags & END_STREAM) != 0) {
        sent.add("end " + stream);
      }
      all.skipBytes(bytes);
    }
    all.release();
  }
}
