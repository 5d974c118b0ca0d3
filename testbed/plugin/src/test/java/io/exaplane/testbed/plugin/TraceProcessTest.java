// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.etcd.Credentials;
import io.exaplane.cli.etcd.EtcdClient;
import io.exaplane.cli.trace.Trace;
import io.exaplane.cli.trace.TraceProxy;
import io.exaplane.cli.trace.TraceRow;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real kube-apiserver that reaches a real etcd by {@code exactl trace} only. */
@Timeout(900)
class TraceProcessTest {
  private static final int CONFIG_MAPS = 20;
  private static final String PATH = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;
  private final HttpClient http = Http.multiplexing();
  private int port;

  @Test
  void aKubeApiServerWorksAndItsRequestsAreCounted() throws Exception {
    String url = "http://127.0.0.1:" + Machine.freePort();
    try (Server _ = etcd(url);
        EtcdClient store = EtcdClient.connect(List.of(URI.create(url)), Credentials.NONE);
        TraceProxy proxy =
            TraceProxy.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                store,
                "/registry/");
        Server _ = apiServer(proxy.port())) {
      for (int i = 0; i < CONFIG_MAPS; i++) {
        send("POST", PATH, configMap(i, "a"), 201);
      }
      send("PUT", PATH + "/c7", configMap(7, "b"), 200);
      send("DELETE", PATH + "/c3", "", 200);
      assertThat(send("GET", PATH, "", 200)).contains("\"c19\"").doesNotContain("\"c3\"");
      Await.until(
          Duration.ofMinutes(2),
          "the trace has every request and event, and the watches that a server opens",
          () -> isWhole(proxy.trace()),
          proxy::trace);
      Trace trace = proxy.trace();
      // A kube-apiserver has a ConfigMap of its own.
      assertThat(row(trace, "configmaps", "create").requests())
          .isBetween((long) CONFIG_MAPS, CONFIG_MAPS + 5L);
      assertThat(row(trace, "configmaps", "create").failed()).isZero();
      assertThat(row(trace, "configmaps", "create").p99Ms()).isPositive();
      assertThat(row(trace, "configmaps", "update").requests()).isPositive();
      assertThat(row(trace, "configmaps", "delete").requests()).isEqualTo(1);
      TraceRow watch = row(trace, "configmaps", "watch");
      assertThat(watch.requests()).isPositive();
      assertThat(watch.items()).as("events").isGreaterThanOrEqualTo(CONFIG_MAPS + 2);
      assertThat(row(trace, "namespaces", "create").requests()).isPositive();
      assertThat(trace.openWatches()).isGreaterThan(20);
      assertThat(trace.toString()).doesNotContain("c19", "default", "the value");
    }
  }

  /** A server answers before its own watches have brought it what it wrote. */
  private static boolean isWhole(Trace trace) {
    return trace.openWatches() > 20
        && Stream.of("create", "update", "delete", "watch")
            .allMatch(operation -> rows(trace, "configmaps", operation).findFirst().isPresent())
        && row(trace, "configmaps", "create").requests() >= CONFIG_MAPS
        && row(trace, "configmaps", "watch").items() >= CONFIG_MAPS + 2;
  }

  private static Stream<TraceRow> rows(Trace trace, String kind, String operation) {
    return trace.rows().stream()
        .filter(row -> row.kind().equals(kind) && row.operation().equals(operation));
  }

  private static TraceRow row(Trace trace, String kind, String operation) {
    return rows(trace, kind, operation)
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " " + operation + " in " + trace));
  }

  private Server etcd(String url) throws Exception {
    return Server.start(
        List.of(
            Machine.environment("EXA_ETCD") + "/etcd",
            "--data-dir=" + folder.resolve("etcd"),
            "--listen-client-urls=" + url,
            "--advertise-client-urls=" + url,
            "--listen-peer-urls=http://127.0.0.1:" + Machine.freePort(),
            "--log-level=error",
            "--unsafe-no-fsync"),
        Map.of(),
        URI.create(url + "/readyz"),
        folder.resolve("etcd.log"));
  }

  private Server apiServer(int proxy) throws Exception {
    port = Machine.freePort();
    List<String> command =
        ApiServerCommand.of(folder, "http://127.0.0.1:" + proxy, port, List.of());
    command.add("--disable-admission-plugins=ServiceAccount");
    return Server.start(command, Map.of(), uri("/readyz"), folder.resolve("kube-apiserver.log"));
  }

  private URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  private static String configMap(int number, String value) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c%d\"},\"data\":{\"k\":\"the value %s\"}}"
        .formatted(number, value);
  }

  private String send(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri(path))
                .header("Authorization", "Bearer " + Http.TOKEN)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body();
  }
}
