// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.lists.ClientKey;
import io.exaplane.tuning.lists.ClientReport;
import io.exaplane.tuning.lists.Cost;
import io.exaplane.tuning.lists.Finding;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 'exactl lists --tell-agents' at an API server that only answers. */
class AgentFindingsTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 28);
  private static final String SETS =
      """
      {"apiVersion":"apps/v1","kind":"DaemonSetList","metadata":{},"items":[
       {"metadata":{"namespace":"ns","name":"cni"},"spec":{"template":{"spec":{"serviceAccountName":"cni"}}}},
       {"metadata":{"namespace":"ns","name":"quiet","annotations":{"exaplane.io/lists-findings":"old"}},
        "spec":{"template":{"spec":{"serviceAccountName":"quiet"}}}},
       {"metadata":{"namespace":"ns","name":"calm"},"spec":{"template":{"spec":{"serviceAccountName":"calm"}}}},
       {"metadata":{"namespace":"ns","name":"bare"},"spec":{"template":{"spec":{"serviceAccountName":"default"}}}}]}
      """;

  @TempDir private Path folder;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
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

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (!exchange.getRequestMethod().equals("GET")) {
      requests.add(exchange.getRequestURI().getPath() + " " + body);
    }
    byte[] answer =
        (exchange.getRequestMethod().equals("GET")
                ? SETS
                : "{\"apiVersion\":\"apps/v1\",\"kind\":\"DaemonSet\",\"metadata\":{}}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:%d"}}],
         "users":[{"name":"u","user":{"token":"t"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(server.getAddress().getPort()));
  }

  private static ClientReport client(String account, Map<Finding, Long> findings) {
    return new ClientReport(
        new ClientKey(account, "program"), 9, 9, 0, 1, Map.of(), Cost.NOTHING, findings);
  }

  @Test
  void findingsComeAndGoWithoutATouchOfOthers() throws Exception {
    List<String> told = new ArrayList<>();
    AgentFindings.tell(
        kubeconfig(),
        null,
        List.of(
            client("system:serviceaccount:ns:cni", Map.of(Finding.POLLING, 4L)),
            client("system:serviceaccount:*:cni", Map.of(Finding.STORE_READS, 2L)),
            client("system:serviceaccount:other:quiet", Map.of(Finding.POLLING, 1L)),
            client("system:serviceaccount:ns:calm", Map.of()),
            client("system:serviceaccount:ns:default", Map.of(Finding.POLLING, 7L))),
        DAY,
        told::add);
    assertThat(requests)
        .containsExactly(
            "/apis/apps/v1/namespaces/ns/daemonsets/cni"
                + " {\"metadata\":{\"annotations\":{\"exaplane.io/lists-findings\":\"2026-11-28:"
                + " Polling (4), StoreReads (2)\"}}}",
            "/apis/apps/v1/namespaces/ns/daemonsets/quiet"
                + " {\"metadata\":{\"annotations\":{\"exaplane.io/lists-findings\":null}}}");
    assertThat(told).containsExactly("DaemonSet ns/cni: Polling (4), StoreReads (2)");
  }

  @Test
  void aMissingRightIsNamed() throws Exception {
    status = 403;
    Path kubeconfig = kubeconfig();
    assertThatThrownBy(() -> AgentFindings.tell(kubeconfig, null, List.of(), DAY, line -> {}))
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining("let the account list and patch daemonsets.apps");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--context=c", "--audit-log=log"})
  void theClusterAndTheLogAreNamed(String one) {
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            new String[] {"lists", "--tell-agents", "--inventory=none", one});
    assertThat(code).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("tell-agents: 'true' needs --audit-log");
    assertThat(requests).isEmpty();
  }
}
