// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.wire.door.Place;
import io.exaplane.store.wire.door.Places;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One connection of HTTP/1.1: order of answers, and what ends it. */
class PageConnectionTest {
  private static final Pages HELLO = (_, to) -> to.accept(PageAnswer.text(200, "hello\n"));
  private static final int MOST_BODY = 300_000;
  private final Places places =
      new Places("test", new Places.Limits(10, 10, "test"), System::nanoTime);
  private final List<Gateway.Client> asked = new ArrayList<>();
  private final Gateway gateway =
      new Gateway() {
        @Override
        public boolean has(String path) {
          return path.startsWith("/v3/");
        }

        @Override
        public int mostBodyBytes() {
          return MOST_BODY;
        }

        @Override
        public void serve(String method, String path, String body, Client client) {
          asked.add(client);
          bodies.add(body.length());
        }
      };

  private final List<Integer> bodies = new ArrayList<>();

  /** As much as bodies of all connections may take. */
  private int room = 3 * MOST_BODY;

  private final BodyMemory memory =
      new BodyMemory() {
        @Override
        public boolean take(int bytes) {
          boolean has = bytes <= room;
          room -= has ? bytes : 0;
          return has;
        }

        @Override
        public void giveBack(int bytes) {
          room += bytes;
        }
      };

  @Test
  void requestsThatComeTogetherAreAnsweredOneAfterTheOther() {
    EmbeddedChannel channel = channel(HELLO, gateway);
    ask(channel, get("/v3/watch") + get("/version") + get("/v3/kv/range"));
    assertThat(asked).hasSize(1);
    assertThat(said(channel)).isEmpty();

    asked.getFirst().begin(200);
    asked.getFirst().part("{}", () -> {});
    assertThat(said(channel)).contains("200 OK", "{}").doesNotContain("hello");
    asked.getFirst().end();
    assertThat(said(channel)).contains("hello");
    assertThat(asked).as("the page is answered, and the next is served").hasSize(2);
    assertThat(channel.isOpen()).isTrue();
    channel.close();
  }

  @Test
  void whoGoesIsTold() {
    EmbeddedChannel channel = channel(HELLO, gateway);
    ask(channel, get("/v3/watch"));
    List<String> told = new ArrayList<>();
    asked.getFirst().whenGone(() -> told.add("gone"));
    channel.close();
    assertThat(told).containsExactly("gone");
  }

  /** What is broken is not carried out with what came of it, and nothing behind it is a request. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 | Host: x;Content-Length: 2;Content-Length: 3;;{} | 400",
        "HTTP/1.1 | Host: x;Content-Length: -1;; | 400",
        "HTTP/1.1 | Host: x;Content-Length: +2;;{} | 400",
        "HTTP/1.1 | Host: x;Content-Length: 99999999999999999999;; | 400",
        "HTTP/1.1 | Host: x;Transfer-Encoding: chunked;;2;{};zz;{};0;; | 400",
        "HTTP/1.1 | Host: x;Content-Length: 2;A : b;;{} | 400",
        "HTTP/1.1 | Content-Length: 2;;{} | 400",
        "HTTP/1.1 | Host: x;Host: y;Content-Length: 2;;{} | 400",
        "HTTP/3.0 | Host: x;Content-Length: 2;;{} | 505"
      })
  void aBrokenRequestIsNotTheGateways(String version, String rest, int status) {
    EmbeddedChannel channel = channel(HELLO, gateway);
    ask(
        channel,
        "POST /v3/kv/put %s\r\n%s%s"
            .formatted(version, rest.replace(";", "\r\n"), get("/v3/kv/range")));
    assertThat(said(channel)).startsWith("HTTP/1.1 %d ".formatted(status)).doesNotContain("hello");
    assertThat(asked).isEmpty();
    assertThat(channel.isOpen()).isFalse();
    assertThat(room).as("memory for bodies").isEqualTo(3 * MOST_BODY);
  }

  /** By length, in chunks, with the question whether it is wanted; of the gateway and of pages. */
  @ParameterizedTest
  @CsvSource({
    "/v3/kv/put, 300000, length, 200",
    "/v3/kv/put, 300001, length, 413",
    "/v3/kv/put, 300000, chunks, 200",
    "/v3/kv/put, 300001, chunks, 413",
    "/v3/kv/put, 300000, expect, 100",
    "/v3/kv/put, 300001, expect, 413",
    "/version, 65536, length, 200",
    "/version, 65537, length, 413",
    "/version, 65536, chunks, 200",
    "/version, 65537, chunks, 413",
    "/version, 65537, expect, 413",
  })
  void bodiesAreTakenUpToABoundOfTheirPath(String path, int bytes, String how, int status) {
    EmbeddedChannel channel = channel(HELLO, gateway);
    String body = "x".repeat(bytes);
    ask(
        channel,
        "POST "
            + path
            + " HTTP/1.1\r\nHost: x\r\n"
            + switch (how) {
              case "length" -> "Content-Length: " + bytes + "\r\n\r\n" + body;
              case "chunks" ->
                  "Transfer-Encoding: chunked\r\n\r\n"
                      + Integer.toHexString(bytes)
                      + "\r\n"
                      + body
                      + "\r\n0\r\n\r\n";
              default -> "Expect: 100-continue\r\nContent-Length: " + bytes + "\r\n\r\n";
            });
    if (status == 200 && path.startsWith("/v3")) {
      assertThat(bodies).containsExactly(bytes);
      asked.getFirst().begin(200);
      asked.getFirst().end();
    }
    String said = said(channel);
    assertThat(said).startsWith("HTTP/1.1 " + status + " ");
    if (status == 413) {
      int most = path.startsWith("/v3") ? 300_000 : 65_536;
      assertThat(said)
          .contains("\r\n\r\nbody: it has more than the " + most + " bytes")
          .endsWith("send fewer\n");
    }
    assertThat(asked).hasSize(status == 200 && path.startsWith("/v3") ? 1 : 0);
    channel.close();
    assertThat(room).as("all is given back").isEqualTo(3 * MOST_BODY);
  }

  /** A page that reads bodies gets them whole, and they count until it has answered. */
  @ParameterizedTest
  @CsvSource({"length, 200000, 200", "chunks, 200000, 200", "length, 200001, 413"})
  void aPageThatReadsBodiesGetsThem(String how, int bytes, int status) {
    List<Consumer<PageAnswer>> waiting = new ArrayList<>();
    List<PageRequest> requests = new ArrayList<>();
    Pages taking =
        new Pages() {
          @Override
          public void answer(PageRequest request, Consumer<PageAnswer> to) {
            requests.add(request);
            waiting.add(to);
          }

          @Override
          public int mostBodyBytes(String target) {
            return target.startsWith("/moves/") ? 200_000 : USUAL_BODY_BYTES;
          }
        };
    EmbeddedChannel channel = channel(taking, gateway);
    String body = "y".repeat(bytes);
    ask(
        channel,
        "POST /moves/take HTTP/1.1\r\nHost: x\r\n"
            + (how.equals("length")
                ? "Content-Length: " + bytes + "\r\n\r\n" + body
                : "Transfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(bytes)
                    + "\r\n"
                    + body
                    + "\r\n0\r\n\r\n"));
    if (status == 200) {
      assertThat(new String(requests.getFirst().body(), StandardCharsets.US_ASCII)).isEqualTo(body);
      assertThat(requests.getFirst().certificate()).isEmpty();
      assertThat(room).as("it counts").isEqualTo(3 * MOST_BODY - bytes);
      waiting.getFirst().accept(PageAnswer.text(200, "taken\n"));
      assertThat(room).isEqualTo(3 * MOST_BODY);
    }
    assertThat(said(channel)).startsWith("HTTP/1.1 " + status + " ");
    channel.close();
    assertThat(room).as("all is given back").isEqualTo(3 * MOST_BODY);
  }

  @Test
  void aBodyWhoseClientLeftIsGivenBackOnce() {
    List<Consumer<PageAnswer>> waiting = new ArrayList<>();
    Pages taking =
        new Pages() {
          @Override
          public void answer(PageRequest request, Consumer<PageAnswer> to) {
            waiting.add(to);
          }

          @Override
          public int mostBodyBytes(String target) {
            return 200_000;
          }
        };
    EmbeddedChannel channel = channel(taking, gateway);
    ask(channel, "POST /moves/take HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
    assertThat(room).isEqualTo(3 * MOST_BODY - 3);
    channel.close();
    assertThat(room).isEqualTo(3 * MOST_BODY);
    waiting.getFirst().accept(PageAnswer.text(200, "too late\n"));
    channel.runPendingTasks();
    assertThat(room).isEqualTo(3 * MOST_BODY);
  }

  /** Those that wait for their turn count, as does one whose rest never comes. */
  @Test
  void bodiesThatWaitAreBoundedTogether() {
    String put =
        "POST /v3/kv/put HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n".formatted(MOST_BODY);
    EmbeddedChannel slow = channel(HELLO, gateway);
    ask(slow, put + "x".repeat(MOST_BODY / 2));
    assertThat(room).isEqualTo(3 * MOST_BODY - MOST_BODY / 2);
    EmbeddedChannel channel = channel(HELLO, gateway);
    for (int i = 0; i < 3; i++) {
      ask(channel, put + "x".repeat(MOST_BODY));
    }
    assertThat(bodies).as("one is served, two wait").hasSize(1);
    assertThat(said(channel)).isEmpty();
    ask(channel, put + "x".repeat(MOST_BODY));
    assertThat(said(channel))
        .startsWith("HTTP/1.1 429 ")
        .contains("\r\n\r\nbody: the bodies of all clients")
        .endsWith("ask again in a second\n");
    assertThat(channel.isOpen()).isFalse();
    assertThat(room).isEqualTo(3 * MOST_BODY - MOST_BODY / 2);
    slow.close();
    assertThat(room).isEqualTo(3 * MOST_BODY);
  }

  @ParameterizedTest
  @CsvSource({"1.0, false, false", "1.1, true, true"})
  void onlyClientsThatKnowChunksGetThem(String version, boolean chunks, boolean staysOpen) {
    EmbeddedChannel channel = channel(HELLO, gateway);
    ask(channel, "POST /v3/kv/range HTTP/" + version + "\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    asked.getFirst().begin(200);
    asked.getFirst().part("{}", () -> {});
    asked.getFirst().end();
    String said = said(channel);
    assertThat(said.contains("transfer-encoding: chunked")).isEqualTo(chunks);
    assertThat(said).endsWith(chunks ? "2\r\n{}\r\n0\r\n\r\n" : "\r\n\r\n{}");
    assertThat(channel.isOpen()).isEqualTo(staysOpen);
    channel.close();
  }

  @Test
  void whoCouldNotSendIsToldWhenItCan() {
    EmbeddedChannel channel = channel(HELLO, gateway);
    ask(channel, get("/v3/watch"));
    List<String> told = new ArrayList<>();
    asked.getFirst().whenWritable(() -> told.add("writable"));
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    channel.runPendingTasks();
    assertThat(told).isEmpty();
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
    channel.runPendingTasks();
    assertThat(told).containsExactly("writable");
    channel.close();
  }

  @Test
  void whatCanNotBeAnsweredEndsTheConnection() {
    PageAnswer impossible = new PageAnswer(307, Map.of("location", "/x\r"), new byte[0]);
    for (Pages pages : List.<Pages>of((_, to) -> to.accept(impossible), (_, _) -> fail())) {
      EmbeddedChannel channel = channel(pages, null);
      assertThatThrownBy(() -> ask(channel, get("/x"))).isInstanceOf(RuntimeException.class);
      assertThat(channel.isOpen()).isFalse();
      assertThat(places.statistics().taken()).isZero();
    }
  }

  private static void fail() {
    throw new IllegalStateException("a page that has a fault");
  }

  private EmbeddedChannel channel(Pages pages, Gateway gateway) {
    EmbeddedChannel channel = new EmbeddedChannel();
    Place place = places.take("one", channel::close, () -> {});
    place.occupy(channel);
    channel
        .pipeline()
        .addLast(
            PageConnection.handlers(pages, gateway, memory, () -> {})
                .toArray(ChannelHandler[]::new));
    return channel;
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }

  private static void ask(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private static String said(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.US_ASCII));
      part.release();
    }
    return text.toString();
  }
}
