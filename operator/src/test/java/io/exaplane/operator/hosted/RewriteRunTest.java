// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.exaplane.operator.pki.EncryptionKey;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An API that pages, forgets tokens, and refuses objects. */
class RewriteRunTest {
  private static final Duration TIME = Duration.ofMinutes(1);
  private static final String SECRETS = "GET /api/v1/secrets?limit=250";

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final HttpServer server;
  private final KubernetesClient client;

  RewriteRunTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void close() {
    client.close();
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String question = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    asked.add(question);
    exchange.getRequestBody().readAllBytes();
    String[] answer = answers.getOrDefault(question, "404 page not found").split(" ", 2);
    byte[] body = answer[1].getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(Integer.parseInt(answer[0]), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String list(String token, String... names) {
    List<String> items = new ArrayList<>();
    for (String name : names) {
      items.add(
          "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"%1$s\",\"uid\":\"u-%1$s\"}}"
              .formatted(name));
    }
    return "200 {\"metadata\":{\"continue\":\"%s\",\"remainingItemCount\":%d},\"items\":[%s]}"
        .formatted(token, token.isEmpty() ? 0 : 7, String.join(",", items));
  }

  private void patched(String name, String answer) {
    answers.put("PATCH /api/v1/namespaces/ns/secrets/" + name, answer);
  }

  @Test
  void pagesGoOnAfterATokenExpiresAndObjectsThatGoAreNoTrouble() {
    answers.put(SECRETS, list("t1", "a", "b"));
    answers.put(SECRETS + "&continue=t1", "410 {\"metadata\":{\"continue\":\"t2\"}}");
    answers.put(SECRETS + "&continue=t2", list("", "c", "d"));
    patched("a", "200 {}");
    patched("b", "404 {}");
    patched("c", "409 {}");
    patched("d", "200 {}");
    RewriteRun run = new RewriteRun(List.of("secrets"));
    assertThat(run.batch(client, 1, TIME)).as("one look at a list").isTrue();
    assertThat(run.isDone()).isFalse();
    assertThat(run.progress()).startsWith("objects of secrets (1 written, about 8 to come)");
    assertThat(run.batch(client, 100, TIME)).isTrue();
    assertThat(run.isDone()).isTrue();
    assertThat(asked.stream().filter(each -> each.startsWith("PATCH"))).hasSize(4);
    assertThat(asked).filteredOn(SECRETS::equals).hasSize(1);
  }

  @Test
  void whatIsRefusedIsNamedAndTriedAgain() {
    answers.put(SECRETS, list("", "a", "b"));
    patched("a", "403 {\"message\":\"webhook w says no\"}");
    patched("b", "200 {}");
    RewriteRun run = new RewriteRun(List.of("secrets"));
    assertThat(run.batch(client, 100, TIME)).as("the caller waits").isFalse();
    assertThat(run.isDone()).isFalse();
    assertThat(run.progress()).contains("refuses secrets ns/a", "webhook w says no");
    patched("a", "200 {}");
    assertThat(run.batch(client, 100, TIME)).isTrue();
    assertThat(run.isDone()).isTrue();
  }

  @Test
  void anApiThatFailsLosesNoObject() {
    answers.put(SECRETS, list("", "a", "b"));
    patched("a", "200 {}");
    patched("b", "500 {\"message\":\"the store is away\"}");
    RewriteRun run = new RewriteRun(List.of("secrets"));
    assertThat(run.batch(client, 100, TIME)).isFalse();
    assertThat(run.progress()).contains("the store is away");
    patched("b", "200 {}");
    assertThat(run.batch(client, 100, TIME)).isTrue();
    assertThat(run.isDone()).isTrue();
    assertThat(asked).filteredOn(each -> each.endsWith("/secrets/a")).hasSize(1);
  }

  /** What was written may be of the old key again, if another template was there since. */
  @Test
  void objectsAreWrittenAgainForOtherServers() throws InterruptedException {
    answers.put(SECRETS, list("", "a"));
    patched("a", "200 {}");
    RotatedKey key =
        new RotatedKey(
            Stage.ISSUING,
            2,
            Instant.EPOCH,
            Map.of("key", EncryptionKey.make(List.of("secrets")).text()),
            Map.of("key", EncryptionKey.IDENTITY.text()));
    Rewrites rewrites = new Rewrites(Clock.systemUTC());
    BlockingQueue<String> changes = new LinkedBlockingQueue<>();
    try {
      for (String servers : List.of("uid/7", "uid/9")) {
        rewrites.follow("u", key, servers, () -> client, () -> changes.add(servers));
        assertThat(changes.poll(1, TimeUnit.MINUTES)).isEqualTo(servers);
        rewrites.follow("u", key, servers, () -> client, () -> changes.add("again"));
        assertThat(rewrites.of("u").done()).contains(EncryptionKey.id(key, servers));
      }
    } finally {
      rewrites.close();
    }
    assertThat(changes).as("once for the same servers").isEmpty();
    assertThat(asked).filteredOn(each -> each.endsWith("/secrets/a")).hasSize(2);
  }

  /** A resource in another version than the first one of its group, and one that nobody serves. */
  @Test
  void aResourceIsFoundInAnyVersionOfItsGroup() {
    answers.put(
        "GET /apis/example.com",
        "200 {\"versions\":[{\"groupVersion\":\"example.com/v2\"},{\"groupVersion\":\"example.com/v1\"}]}");
    answers.put("GET /apis/example.com/v1/widgets?limit=250", list("", "w"));
    answers.put("PATCH /apis/example.com/v1/namespaces/ns/widgets/w", "200 {}");
    RewriteRun run = new RewriteRun(List.of("gadgets.example.org", "widgets.example.com"));
    assertThat(run.batch(client, 100, TIME)).isTrue();
    assertThat(run.isDone()).isTrue();
    assertThat(asked).contains("PATCH /apis/example.com/v1/namespaces/ns/widgets/w");
  }
}
