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
import org.junit.jupiter.api.Test;

/** One connection of HTTP/1.1: order of answers, and what ends it. */
class PageConnectionTest {
  private static final Pages HELLO = (_, to) -> to.accept(PageAnswer.text(200, "hello\n"));
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
        public void serve(String method, String path, String body, Client client) {
          asked.add(client);
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
        .addLast(PageConnection.handlers(pages, gateway, () -> {}).toArray(ChannelHandler[]::new));
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
