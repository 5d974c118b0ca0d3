// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a source does to a real cluster, and what it does not. */
class ApplyProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MAPS = "/api/v1/namespaces/default/configmaps/";
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: \"%s\"}\n";

  @TempDir private static Path folder;
  private static final List<Server> SERVERS = new ArrayList<>();
  private static HttpClient http;
  private static int port;
  private static Path kubeconfig;

  @TempDir private Path manifests;

  /** What a command said. */
  private record Said(int code, JsonNode document, String errors) {}

  @BeforeAll
  static void start() throws Exception {
    http = Http.multiplexing();
    port = Machine.freePort();
    String store = "http://127.0.0.1:" + Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.add("--name=apply");
    command.add("--data-dir=" + folder.resolve("store"));
    command.add("--listen-client-urls=" + store);
    command.add("--listen-metrics-urls=" + pages);
    SERVERS.add(
        Server.start(
            command, Map.of(), URI.create(pages + "/readyz"), folder.resolve("store.log")));
    SERVERS.add(
        Server.start(
            ApiServerCommand.of(folder, store, port, List.of()),
            Map.of(),
            uri("/readyz"),
            folder.resolve("kube-apiserver.log")));
    kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            {"apiVersion": "v1", "kind": "Config", "current-context": "c",
             "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d", "insecure-skip-tls-verify": true}}],
             "users": [{"name": "c", "user": {"token": "%s"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}
            """
                .formatted(port, Http.TOKEN));
  }

  @AfterAll
  static void end() {
    http.shutdownNow();
    SERVERS.reversed().forEach(Server::close);
  }

  @Test
  void anotherProcessAppliesNothingWhenNothingChanged() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("m" + i, MAP.formatted("same-" + i, "1"));
    }
    Said first = apply("again");
    assertThat(first.code()).as("%s", first).isZero();
    assertThat(first.document().path("applied").asInt()).isEqualTo(20);
    double before = patches();
    assertThat(before).as("the server counts applies").isGreaterThanOrEqualTo(20);
    Said second = apply("again");
    assertThat(second.code()).as("%s", second).isZero();
    assertThat(second.document().path("unchanged").asInt()).isEqualTo(20);
    assertThat(patches()).as("PATCH requests to the server").isEqualTo(before);
  }

  @Test
  void driftIsPutRight() throws Exception {
    write("m", MAP.formatted("drift", "1"));
    assertThat(apply("drifting").code()).isZero();
    ask("PATCH", MAPS + "drift", "application/merge-patch+json", "{\"data\":{\"a\":\"2\"}}");
    Said diff = run("apply", "-f", manifests.toString(), "--source", "drifting", "--diff");
    JsonNode object = diff.document().path("objects").path(0);
    assertThat(object.path("outcome").asText()).as("%s", diff).isEqualTo("changed");
    assertThat(object.path("fields").toString()).contains(".data.a", "2", "1");
    Said again = apply("drifting");
    assertThat(again.document().path("applied").asInt()).as("%s", again).isEqualTo(1);
    assertThat(value("drift")).isEqualTo("1");
  }

  @Test
  void pruningDeletesExactlyWhatTheSourceLost() throws Exception {
    write("kept", MAP.formatted("kept", "1"));
    write("lost", MAP.formatted("lost", "1"));
    ask(
        "POST",
        MAPS.replaceAll("/$", ""),
        "application/json",
        "{\"metadata\":{\"name\":\"others\"},\"data\":{\"a\":\"1\"}}");
    assertThat(apply("prune").code()).isZero();
    Files.delete(manifests.resolve("lost.yaml"));
    write("bad", "kind: [");
    Said bad = apply("prune", "--prune");
    assertThat(bad.code()).isEqualTo(1);
    assertThat(bad.errors()).contains("bad.yaml:1");
    assertThat(value("lost")).as("with a bad file, nothing is deleted").isEqualTo("1");
    Files.delete(manifests.resolve("bad.yaml"));
    Said pruned = apply("prune", "--prune");
    assertThat(pruned.code()).as("%s", pruned).isZero();
    assertThat(pruned.document().path("pruned").asInt()).isEqualTo(1);
    assertThat(value("lost")).isEmpty();
    assertThat(value("kept")).isEqualTo("1");
    assertThat(value("others")).isEqualTo("1");
    assertThat(run("apply", "status", "--source", "prune").document().path("objects").size())
        .isEqualTo(1);
  }

  @Test
  void aRefusedObjectIsNamedAndStopsNoOther() throws Exception {
    write("good", MAP.formatted("good", "1"));
    write("wrong", "apiVersion: v1\nkind: Service\nmetadata: {name: Wrong}\nspec: {ports: []}\n");
    Said said = apply("refused", "--timeout", "20");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.document().path("problems").toString()).contains("Wrong", "wrong.yaml:1");
    assertThat(value("good")).isEqualTo("1");
  }

  @Test
  void anObjectThatIsTheInventoryIsRefused() throws Exception {
    write("m", MAP.formatted("inventory-1", "1"));
    Said said = apply("inventory");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.errors()).contains("m.yaml:1", "choose another name");
    assertThat(value("inventory-1")).isEmpty();
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(manifests.resolve(name + ".yaml"), text);
  }

  private Said apply(String source, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("apply", "-f", manifests.toString(), "--source", source));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  private static Said run(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--kubeconfig", kubeconfig.toString(), "-o", "json"));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    return new Said(code, JSON.readTree(out.toString()), err.toString());
  }

  private static String value(String name) throws Exception {
    return JSON.readTree(ask("GET", MAPS + name, "application/json", "").body())
        .path("data")
        .path("a")
        .asText("");
  }

  private static double patches() throws Exception {
    return ask("GET", "/metrics", "application/json", "")
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"configmaps\"") && line.contains("verb=\"APPLY\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static URI uri(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  private static HttpResponse<String> ask(String method, String path, String type, String body)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + Http.TOKEN)
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }
}
