// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.wire.door.Places;
import io.exaplane.store.wire.page.BodyMemory;
import io.exaplane.store.wire.page.Gateway;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageConnection;
import io.exaplane.store.wire.page.Pages;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients of HTTP/1.1 that go in the middle of a request: nothing of that comes to the log. */
class DeparturesTest {
  private static final Pages PAGES = (_, to) -> to.accept(PageAnswer.text(200, "page\n"));
  private static final BodyMemory MEMORY =
      new BodyMemory() {
        @Override
        public boolean take(int bytes) {
          return true;
        }

        @Override
        public void giveBack(int bytes) {
          // There is always room.
        }
      };

  private final Gateway gateway =
      new Gateway() {
        @Override
        public boolean has(String path) {
          return path.startsWith("/v3/");
        }

        @Override
        public int mostBodyBytes() {
          return 1 << 20;
        }

        @Override
        public void serve(String method, String path, String body, Client client) {
          throw new IllegalStateException("a request without its end is served");
        }
      };

  /** Every place of a request at which it may be cut, on the clients' port and on the probes'. */
  @ParameterizedTest
  @CsvSource({
    "true, /v3/kv/range, Content-Length: 10, 0123456789",
    "true, /v3/kv/range, Transfer-Encoding: chunked, 'a;\r\n0123456789\r\n0\r\n\r\n'",
    "true, /version, Content-Length: 10, 0123456789",
    "true, /version, Transfer-Encoding: chunked, '5\r\n01234\r\n5\r\n56789\r\n0\r\nA: b\r\n\r\n'",
    "false, /version, Content-Length: 10, 0123456789",
    "false, /version, Transfer-Encoding: chunked, '5\r\n01234\r\n5\r\n56789\r\n0\r\nA: b\r\n\r\n'",
  })
  void whoGoesWithinABodyLeavesNoTrace(boolean isClients, String path, String how, String body) {
    String request = "POST " + path + " HTTP/1.1\r\nHost: store\r\n" + how + "\r\n\r\n" + body;
    for (int cut = 0; cut < request.length(); cut++) {
      EmbeddedChannel channel = channel(isClients);
      channel.writeInbound(
          Unpooled.copiedBuffer(request.substring(0, cut), StandardCharsets.ISO_8859_1));
      channel.close();
      channel.runPendingTasks();
      assertThat(thrown(channel)).as("cut after " + request.substring(0, cut)).isNull();
      channel.finishAndReleaseAll();
    }
  }

  /** Else the log would never tell of anything. */
  @Test
  void aFaultOfOursComesToTheLog() {
    EmbeddedChannel channel = channel(false);
    channel.pipeline().fireExceptionCaught(new IllegalStateException("ours"));
    assertThatThrownBy(channel::checkException).hasMessage("ours");
    channel.finishAndReleaseAll();
  }

  private static Throwable thrown(EmbeddedChannel channel) {
    try {
      channel.checkException();
      return null;
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }

  private EmbeddedChannel channel(boolean isClients) {
    EmbeddedChannel channel = new EmbeddedChannel();
    Source source = new Source("192.0.2.1", () -> 0);
    source.connect();
    new Places("test", new Places.Limits(10, 10, "test"), () -> 0)
        .take(source, channel::close, () -> {})
        .occupy(channel);
    PageConnection.handlers(PAGES, isClients ? gateway : null, MEMORY, () -> {})
        .forEach(channel.pipeline()::addLast);
    channel.pipeline().addLast(Departures.NAME, new Departures());
    return channel;
  }
}
