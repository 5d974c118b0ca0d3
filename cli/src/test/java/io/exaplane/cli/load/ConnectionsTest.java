// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is busy, fails, stays silent, or cuts connections. */
class ConnectionsTest {
  private static final Call READ = Call.get("nodes", "/api/v1/nodes/n");

  @TempDir private Path folder;
  private final LoopTimer timer = new LoopTimer();
  private final Books books = new Books(timer::nanos);
  private TestApi server;
  private Connections connections;

  private Connections connect(int streams, Function<TestApi.Request, TestApi.Reply> answers)
      throws Exception {
    server = new TestApi(streams, answers);
    books.begin("test");
    connections = new Connections(Server.of(server.kubeconfig(folder), null), books, timer);
    return connections;
  }

  private Connections one(Queue<TestApi.Reply> replies) throws Exception {
    connect(100, request -> replies.remove()).plan(1, 0);
    return connections;
  }

  @AfterEach
  void stop() {
    connections.close();
    server.close();
    timer.close();
  }

  private static Answer ask(Api api, Call call) throws Exception {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    api.send(call, answer::complete);
    return answer.get(30, TimeUnit.SECONDS);
  }

  private static TestApi.Reply reply(int status, Map<String, String> headers) {
    return new TestApi.Reply(status, headers, new byte[0], false);
  }

  /** As client-go: with Retry-After a 429 and a 5xx are repeated, without it they are answers. */
  @Test
  void busyAnswersAreRepeatedAfterTheTimeThatTheyName() throws Exception {
    Api api =
        new PatientApi(
            one(
                new ArrayDeque<>(
                    List.of(
                        reply(429, Map.of("retry-after", "1")),
                        reply(503, Map.of("retry-after", "0")),
                        reply(200, Map.of()),
                        reply(500, Map.of()),
                        reply(429, Map.of())))),
            timer);
    long began = System.nanoTime();
    assertThat(ask(api, READ).status()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(server.requests()).hasSize(3);
    assertThat(ask(api, READ).status()).isEqualTo(500);
    assertThat(ask(api, READ).status()).isEqualTo(429);
    assertThat(books.withStatus(429)).isEqualTo(2);
    LoadReport.Requests counted = books.phases().getFirst().requests().getFirst();
    assertThat(counted.status()).isEqualTo(Map.of("200", 1L, "429", 2L, "500", 1L, "503", 1L));
    assertThat(counted.latencyMs().count()).as("quick refusals are no latencies").isEqualTo(3);
  }

  @Test
  void aCutConnectionFailsItsRequestsAndIsMadeAgain() throws Exception {
    one(new ArrayDeque<>(List.of(TestApi.Reply.DROP, reply(200, Map.of()))));
    assertThat(ask(connections, READ)).extracting(Answer::status).isEqualTo(Answer.NONE);
    assertThat(ask(connections, READ).words()).isEqualTo("status 200");
    assertThat(server.connections()).isEqualTo(2);
    assertThat(books.withStatus(Answer.NONE)).isEqualTo(1);
  }

  @Test
  void aSilentServerIsGivenUp() throws Exception {
    one(new ArrayDeque<>(List.of(TestApi.Reply.SILENCE, reply(200, Map.of()))));
    Answer answer = ask(connections, READ.within(Duration.ofMillis(50)));
    assertThat(answer.words()).isEqualTo("no answer within 50 ms");
    assertThat(ask(connections, READ).status()).isEqualTo(200);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void refusalsAreQuotedAndNodesAreImpersonated() throws Exception {
    one(
        new ArrayDeque<>(
            List.of(TestApi.Reply.json(403, "{\"kind\":\"Status\",\"message\":\"nodes is no\"}"))));
    assertThat(ask(connections, READ.as("n1")).words()).isEqualTo("status 403: nodes is no");
    assertThat(server.requests().getFirst().headers())
        .containsEntry("impersonate-user", "system:node:n1")
        .containsEntry("impersonate-group", "system:nodes")
        .containsEntry("authorization", "Bearer t");
    assertThat(books.problems()).containsEntry("get nodes", "status 403: nodes is no");
  }

  /** More than a window of flow control: what is queued has to be sent when there is room. */
  @Test
  void bodiesLargerThanTheWindowArrive() throws Exception {
    connect(100, request -> reply(201, Map.of())).plan(1, 0);
    byte[] body = "x".repeat(300_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    Call create = Call.create("nodes", "/api/v1/nodes", Call.JSON, body);
    for (int i = 0; i < 5; i++) {
      assertThat(ask(connections, create).status()).isEqualTo(201);
    }
    assertThat(server.requests()).allMatch(each -> each.body().length() == body.length);
  }

  /** 25 streams a connection, of which 10 are kept for requests: 15 watches each. */
  @Test
  void watchesAreSpreadOverAsManyConnectionsAsTheyNeed() throws Exception {
    TestApi.Reply stream = new TestApi.Reply(200, Map.of(), new byte[0], true);
    connect(25, request -> request.path().startsWith("/watch") ? stream : reply(200, Map.of()));
    assertThatThrownBy(() -> connections.plan(2, 100))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("connections: '2' must be at least 7 for 100 watches")
        .hasMessageContaining("set --connections 7");
    connections.plan(0, 100);
    assertThat(connections.count()).isEqualTo(7);
    CountDownLatch opened = new CountDownLatch(100);
    AtomicInteger ended = new AtomicInteger();
    Runnable cancel = () -> {};
    for (int i = 0; i < 100; i++) {
      cancel = connections.open(Call.watch("pods", "/watch"), watcher(opened, ended));
    }
    assertThat(opened.await(30, TimeUnit.SECONDS)).as("all are open").isTrue();
    assertThat(ask(connections, READ).status()).as("requests still have room").isEqualTo(200);
    cancel.run();
    connections.close();
    assertThat(ended.get()).as("the cancelled one ends quietly").isEqualTo(99);
  }

  @Test
  void tenThousandConnectionsAreTheMost() throws Exception {
    connect(11, request -> reply(200, Map.of()));
    assertThatThrownBy(() -> connections.plan(0, 10_001))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("would be 10,001 for 10,001 watches, more than 10,000")
        .hasMessageContaining("use fewer nodes or watches, or several processes");
  }

  private static Api.Watcher watcher(CountDownLatch opened, AtomicInteger ended) {
    return new Api.Watcher() {
      @Override
      public void opened() {
        opened.countDown();
      }

      @Override
      public void data(byte[] bytes) {
        // The test sends none.
      }

      @Override
      public void ended(Answer answer) {
        ended.incrementAndGet();
      }
    };
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() throws Exception {
    connect(100, request -> reply(200, Map.of()));
    String url = server.url();
    server.close();
    assertThatThrownBy(
            () -> {
              // Until the listener is gone.
              for (int i = 0; i < 1_000; i++) {
                connections.plan(1, 0);
              }
            })
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining(url + " does not answer")
        .hasMessageContaining("check --kubeconfig and --context");
  }
}
