// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.wire.door.Places;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import io.exaplane.store.wire.page.Pages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages over HTTP/2 whose client takes them, or never does: memory that others may want. */
class Http2PagesTest {
  private static final int PAGE_BYTES = 200_000;

  /** What a client takes before it says that it has read any. */
  private static final int WINDOW_BYTES = 65_535;

  private static final int MOST_FRAME_BYTES = 16_384;
  private static final int PERIOD_S = 10;
  private static final long HOUR_MS = 3_600_000;
  private static final byte END_STREAM = 1;
  private static final byte END_HEADERS = 4;

  private final GrpcServices<Object> services =
      new GrpcServices<>(new GrpcServices.Limits(1 << 20, 1_000, HOUR_MS, HOUR_MS, 100, 100));
  private static final int MOST_BODY_BYTES = 100_000;

  private final List<PageRequest> taken = new ArrayList<>();
  private Consumer<PageAnswer> waiting;
  private final Pages pages =
      new Pages() {
        @Override
        public void answer(PageRequest request, Consumer<PageAnswer> to) {
          if (request.path().equals("/moves/take")) {
            taken.add(request);
            waiting = to;
          } else {
            to.accept(PageAnswer.text(200, "x".repeat(PAGE_BYTES)));
          }
        }

        @Override
        public int mostBodyBytes(String target) {
          return target.startsWith("/moves/") ? MOST_BODY_BYTES : USUAL_BODY_BYTES;
        }
      };
  private final Source source = new Source("192.0.2.1", () -> 0);
  private final DefaultHttp2HeadersEncoder headers = new DefaultHttp2HeadersEncoder();
  private EmbeddedChannel channel;

  /** By stream. */
  private final Map<Integer, Integer> received = new HashMap<>();

  private final Map<Integer, Long> reset = new HashMap<>();

  @BeforeEach
  void connect() throws Exception {
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
                    pages,
                    null)
                .build());
    channel.writeInbound(Http2CodecUtil.connectionPrefaceBuf());
    send(Http2FrameTypes.SETTINGS, (byte) 0, 0, Unpooled.EMPTY_BUFFER);
    // Wide for all streams together: each waits for its own client alone.
    windowUpdate(0, 1 << 24);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void anAnswerThatItsClientNeverReadsIsGivenUpAndCountsNoMore() throws Exception {
    ask(1);
    assertThat(received).containsEntry(1, WINDOW_BYTES);
    assertThat(services.partialBytes().get()).as("what waits is counted").isEqualTo(PAGE_BYTES);
    for (int i = 0; i < GrpcHandler.MOST_TIMES_UNFINISHED; i++) {
      pass();
      assertThat(reset).as("%d s", (i + 1) * PERIOD_S).isEmpty();
    }
    pass();
    assertThat(reset).containsExactly(Map.entry(1, Http2Error.CANCEL.code()));
    assertThat(services.partialBytes().get()).isZero();
    assertThat(received).as("nothing more was sent").containsEntry(1, WINDOW_BYTES);
    assertThat(channel.isOpen()).as("its other requests go on").isTrue();
    ask(3);
    windowUpdate(3, PAGE_BYTES);
    assertThat(received).containsEntry(3, PAGE_BYTES);
    assertThat(reset).doesNotContainKey(3);
  }

  @Test
  void anAnswerThatIsReadLateIsWhole() throws Exception {
    ask(1);
    for (int i = 0; i < GrpcHandler.MOST_TIMES_UNFINISHED; i++) {
      pass();
    }
    windowUpdate(1, PAGE_BYTES);
    assertThat(received).containsEntry(1, PAGE_BYTES);
    pass();
    pass();
    assertThat(reset).isEmpty();
    assertThat(services.partialBytes().get()).isZero();
  }

  /** A reader of one stream keeps no other one alive. */
  @Test
  void eachStreamHasItsOwnTime() throws Exception {
    ask(1);
    pass();
    ask(3);
    pass();
    pass();
    assertThat(reset).containsOnlyKeys(1);
    pass();
    assertThat(reset).containsOnlyKeys(1, 3);
    assertThat(services.partialBytes().get()).isZero();
  }

  /** A body that a page reads comes whole, and counts until the answer; however long that takes. */
  @Test
  void aPageThatReadsBodiesGetsThem() throws Exception {
    ask(1, "POST", "/moves/take", END_HEADERS);
    body(1, MOST_BODY_BYTES);
    assertThat(taken).hasSize(1);
    assertThat(taken.getFirst().body()).hasSize(MOST_BODY_BYTES).containsOnly('b');
    assertThat(services.partialBytes().get()).isEqualTo(MOST_BODY_BYTES);
    for (int i = 0; i < 2 * GrpcHandler.MOST_TIMES_UNFINISHED; i++) {
      pass();
    }
    assertThat(reset).as("it is the page that takes its time").isEmpty();
    waiting.accept(PageAnswer.text(200, "taken\n"));
    channel.runPendingTasks();
    read();
    assertThat(received).containsEntry(1, "taken\n".length());
    assertThat(services.partialBytes().get()).isZero();
  }

  @Test
  void aBodyBeyondItsBoundIsRefused() throws Exception {
    ask(1, "POST", "/moves/take", END_HEADERS);
    body(1, MOST_BODY_BYTES + 1);
    ask(3, "POST", "/metrics", END_HEADERS);
    body(3, Pages.USUAL_BODY_BYTES + 1);
    assertThat(taken).isEmpty();
    assertThat(received).containsOnlyKeys(1, 3);
    assertThat(services.partialBytes().get()).isZero();
  }

  private void body(int stream, int bytes) {
    for (int left = bytes; left > 0; left -= MOST_FRAME_BYTES) {
      byte[] part = new byte[Math.min(left, MOST_FRAME_BYTES)];
      Arrays.fill(part, (byte) 'b');
      byte flags = left <= MOST_FRAME_BYTES ? END_STREAM : 0;
      send(Http2FrameTypes.DATA, flags, stream, Unpooled.wrappedBuffer(part));
    }
  }

  private void ask(int stream) throws Exception {
    ask(stream, "GET", "/metrics", (byte) (END_STREAM | END_HEADERS));
  }

  private void ask(int stream, String method, String path, byte flags) throws Exception {
    ByteBuf block = Unpooled.buffer();
    headers.encodeHeaders(
        stream,
        new DefaultHttp2Headers().method(method).scheme("https").authority("store").path(path),
        block);
    send(Http2FrameTypes.HEADERS, flags, stream, block);
  }

  private void windowUpdate(int stream, int bytes) {
    send(Http2FrameTypes.WINDOW_UPDATE, (byte) 0, stream, Unpooled.buffer().writeInt(bytes));
  }

  private void pass() {
    channel.advanceTimeBy(PERIOD_S, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    channel.runPendingTasks(); // flushes
    read();
  }

  private void send(byte type, byte flags, int stream, ByteBuf payload) {
    ByteBuf frame = Unpooled.buffer();
    Http2CodecUtil.writeFrameHeader(
        frame, payload.readableBytes(), type, new Http2Flags(flags), stream);
    frame.writeBytes(payload);
    payload.release();
    channel.writeInbound(frame);
    channel.runPendingTasks();
    read();
  }

  /** What the server sent since. */
  private void read() {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      all.writeBytes(part);
      part.release();
    }
    while (all.isReadable()) {
      int bytes = all.readUnsignedMedium();
      byte type = all.readByte();
      all.skipBytes(1); // flags
      int stream = all.readInt();
      if (type == Http2FrameTypes.DATA) {
        received.merge(stream, bytes, Integer::sum);
      } else if (type == Http2FrameTypes.RST_STREAM) {
        reset.put(stream, all.getUnsignedInt(all.readerIndex()));
      }
      all.skipBytes(bytes);
    }
    all.release();
  }
}
