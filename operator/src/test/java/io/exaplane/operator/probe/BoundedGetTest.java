// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedGetTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void anAnswerWithoutEndIsNotReadToIts() throws Exception {
    try (HostileServer server = HostileServer.endless();
        HttpClient http = HttpClient.newHttpClient()) {
      assertTimeoutPreemptively(
          LONG,
          () ->
              assertThatThrownBy(
                      () -> BoundedGet.of(http, URI.create(server.address()), LONG, 1 << 20))
                  .isInstanceOf(IOException.class));
      assertThat(server.sentBytes()).as("what buffers hold").isLessThan(64 << 20);
      http.shutdownNow();
    }
  }

  /** The request's own time-out ends with the headers; who stays behind them held a thread. */
  @Test
  void aBodyThatNeverComesEnds() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (HostileServer server =
            new HostileServer(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n1", out -> never.await());
        HttpClient http = HttpClient.newHttpClient()) {
      assertTimeoutPreemptively(
          LONG,
          () ->
              assertThatThrownBy(
                      () ->
                          BoundedGet.of(
                              http, URI.create(server.address()), Duration.ofMillis(300), 1 << 20))
                  .isInstanceOf(IOException.class));
      http.shutdownNow();
      never.countDown();
    }
  }

  @Test
  void aRedirectIsAnAnswerAndIsNotFollowed() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (HostileServer inner =
            new HostileServer("HTTP/1.1 200 OK\r\n\r\n", _ -> asked.incrementAndGet());
        HostileServer server =
            HostileServer.answering("302 Found\r\nLocation: " + inner.address() + "/x", "");
        HttpClient http = HttpClient.newHttpClient()) {
      var answer = BoundedGet.of(http, URI.create(server.address()), LONG, 5);
      assertThat(answer.statusCode()).isEqualTo(302);
      assertThat(asked).hasValue(0);
      http.shutdownNow();
    }
  }

  @Test
  void aSmallAnswerIsWhole() throws Exception {
    try (HostileServer server = HostileServer.answering("404 Not Found", "hello");
        HttpClient http = HttpClient.newHttpClient()) {
      var answer = BoundedGet.of(http, URI.create(server.address()), LONG, 5);
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).isEqualTo("hello");
      http.shutdownNow();
    }
  }
}
