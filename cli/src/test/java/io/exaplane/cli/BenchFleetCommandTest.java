// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 'exactl bench fleet' at a management cluster of a few pages: what it must not touch. */
class BenchFleetCommandTest {
  private static final String LABEL = "exaplane.io/bench-fleet";

  @TempDir private Path folder;
  private HttpServer server;

  /** Namespaces that exist, and the value of the label; "" for none. */
  private final Map<String, String> namespaces = new ConcurrentHashMap<>();

  private final List<String> foreignConfigMaps = new CopyOnWriteArrayList<>();
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private boolean hasExaplane = true;
  private final InputStream terminal = System.in;
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    System.setIn(terminal);
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (!exchange.getRequestMethod().equals("GET")) {
      writes.add(exchange.getRequestMethod() + " " + path);
      namespaces.remove(path.substring(path.lastIndexOf('/') + 1));
      send(exchange, 200, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
    } else if (path.equals("/apis/exaplane.io/v1alpha1")) {
      send(exchange, hasExaplane ? 200 : 404, "{\"kind\":\"APIResourceList\",\"resources\":[]}");
    } else if (path.equals("/api/v1/namespaces")) {
      boolean labelled = exchange.getRequestURI().getQuery().contains(LABEL);
      send(
          exchange,
          200,
          list(
              namespaces.entrySet().stream()
                  .filter(each -> !labelled || !each.getValue().isEmpty())
                  .map(each -> item("", each.getKey()))
                  .toList()));
    } else if (path.equals("/api/v1/configmaps")
        && exchange.getRequestURI().getQuery().contains("!=")) {
      send(
          exchange,
          200,
          list(
              foreignConfigMaps.stream()
                  .map(each -> item(each.split("/")[0], each.split("/")[1]))
                  .toList()));
    } else {
      send(exchange, 200, list(List.of()));
    }
  }

  private static String item(String namespace, String name) {
    return "{\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\",\"uid\":\"%s\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}}"
        .formatted(namespace, name, name);
  }

  private static String list(List<String> items) {
    return items.stream()
        .collect(
            Collectors.joining(
                ",",
                "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[",
                "]}"));
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private int run(String... words) throws IOException {
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
    String[] all = new String[words.length + 3];
    all[0] = "bench";
    all[1] = "fleet";
    all[2] = "--kubeconfig=" + kubeconfig;
    System.arraycopy(words, 0, all, 3, words.length);
    return Exactl.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --count=0                       | count: '0' must lie between 1 and 9,999
          --count=10000                   | count: '10000' must lie
          --namespace-prefix=Prod         | namespace-prefix: 'Prod' must be lower-case
          --namespace-prefix=-a           | namespace-prefix: '-a' must be
          --kubernetes-version=1.37       | kubernetes-version: '1.37' must have three parts
          --idle=0s                       | idle: '0s' must be a duration above 0
          --settle=soon                   | settle: 'soon' must be a duration
          --timeout=-1m                   | timeout: '-1m' must be
          --change=replicas               | change: 'replicas' must be a JSON object with the field spec only
          --change={"metadata":{}}        | must be a JSON object with the field spec only
          --change={"spec":{},"status":1} | must be a JSON object with the field spec only
          --changes-per-second=0          | changes-per-second: '0.0' must be above 0
          --metrics=operator              | metrics: 'operator' must be a URL
          """)
  void badInputIsRefusedByName(String option, String message) throws IOException {
    assertThat(run("--yes", option)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains(message);
    assertThat(writes).isEmpty();
  }

  @Test
  void aClusterWithoutExaplaneIsNamed() throws IOException {
    hasExaplane = false;
    assertThat(run("--yes")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString()).contains("has no ControlPlanes; check --kubeconfig");
  }

  @Test
  void aNamespaceThatExistsIsRefused() throws IOException {
    namespaces.put("exaplane-bench-0007", "");
    assertThat(run("--yes")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString())
        .contains("--namespace-prefix: namespace exaplane-bench-0007 exists", "--delete-only");
    assertThat(writes).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"no", "y", "''"})
  void anotherAnswerThanYesCreatesNothing(String answer) throws IOException {
    System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    assertThat(run()).isEqualTo(Exactl.FAILED);
    assertThat(err.toString())
        .contains("Create 100 ControlPlanes in 100 namespaces exaplane-bench-…", "without pods")
        .contains("nothing is created or deleted");
    assertThat(writes).isEmpty();
  }

  /** Neither unlabelled ones, nor another prefix's, nor one that somebody uses. */
  @Test
  void onlyWhatTheCommandCreatedIsDeleted() throws IOException {
    namespaces.putAll(
        Map.of(
            "exaplane-bench-0000", "r1",
            "exaplane-bench-0001", "r2",
            "exaplane-bench-0002", "",
            "exaplane-bench-prod", "r1",
            "other-0000", "r1",
            "exaplane-bench-0003", "r1"));
    foreignConfigMaps.addAll(
        List.of("exaplane-bench-0000/kube-root-ca.crt", "exaplane-bench-0003/app"));
    assertThat(run("--delete-only", "--yes")).isEqualTo(Exactl.FAILED);
    assertThat(writes)
        .containsExactlyInAnyOrder(
            "DELETE /api/v1/namespaces/exaplane-bench-0000",
            "DELETE /api/v1/namespaces/exaplane-bench-0001");
    assertThat(err.toString())
        .contains(
            "the namespaces exaplane-bench-0003 hold objects that the command did not create");
  }

  @Test
  void theNewestVersionIsTheSamples() throws IOException {
    assertThat(Files.readString(Path.of("../config/samples/controlplane.yaml")))
        .contains("version: \"" + FleetOptions.NEWEST + "\"");
  }
}
