// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of a kube-apiserver, which one context plays, until definitions are gone. */
class DefinitionBenchTest {
  private static final String ITEM =
      "{\"metadata\":{\"name\":\"d\"%s},\"status\":{\"conditions\":[{\"type\":\"Terminating\",\"status\":\"True\",\"reason\":\"%s\"}]}}";

  @TempDir private Path folder;
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  @Timeout(60)
  void aDefinitionThatTheServerForgotIsChangedOnce() throws Exception {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            {"apiVersion":"v1","kind":"Config","current-context":"c",
             "clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:%d"}}],
             "users":[{"name":"u","user":{"token":"t"}}],
             "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
            """
                .formatted(server.getAddress().getPort()));
    try (ApiServer api = ApiServer.connect(kubeconfig)) {
      new DefinitionBench(api).remove();
    }
    assertThat(writes).containsExactly("DELETE", "PATCH");
  }

  /** The definition fails after its deletion, and goes a look after its change. */
  private void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    exchange.getRequestBody().readAllBytes();
    if (!method.equals("GET")) {
      writes.add(method);
      send(
          exchange,
          method.equals("DELETE")
              ? "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}"
              : "{\"kind\":\"CustomResourceDefinition\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\"metadata\":{\"name\":\"d\"}}");
      return;
    }
    String item =
        switch (writes.size()) {
          case 0 -> ITEM.formatted("", "Established");
          case 1 -> ITEM.formatted(",\"deletionTimestamp\":\"t\"", "InstanceDeletionFailed");
          default -> "";
        };
    send(exchange, "{\"kind\":\"List\",\"items\":[%s]}".formatted(item));
  }

  private static void send(HttpExchange exchange, String answer) throws IOException {
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
