// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.operator.controlplane.addon.AddonBed;
import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator's add-ons on a real kube-apiserver, with the operator's own HTTP client. Each test
 * goes on from where the one before ended.
 */
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AddonsProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path HOME = Path.of("../..");
  private static final Path DEFINITION =
      HOME.resolve("crds/generated/controlplanes.exaplane.io.yaml");
  private static final Path SAMPLE = HOME.resolve("config/samples/controlplane-addons.yaml");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps/";
  private static final String INVENTORIES =
      "/api/v1/namespaces/kube-system/configmaps/exaplane-addon-";
  private static final String TEAM_MAPS = "/api/v1/namespaces/team/configmaps/";
  private static final String MAP =
      "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: %s}\\ndata: {a: first}\\n";
  private static final String INLINE =
      "{name: one, inline: \"%s\"}".formatted(MAP.formatted("one"));
  private static final String MAPPED = "{name: two, configMap: {name: files}}";
  private static final String SECRET = "{name: three, secret: {name: files}}";
  private static final String TEAM =
      "{name: team, serviceAccount: {namespace: team, name: deployer}, inline: \"%s---\\n%s\"}"
          .formatted(
              MAP.formatted("four, namespace: team"), MAP.formatted("five, namespace: default"));

  @TempDir private static Path folder;
  private static final List<Server> SERVERS = new ArrayList<>();
  private static HttpClient http;
  private static int port;
  private static AddonBed bed;

  @BeforeAll
  static void start() throws Exception {
    http = Http.multiplexing();
    port = Machine.freePort();
    String store = "http://127.0.0.1:" + Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.add("--name=addons");
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
    bed = new AddonBed("https://127.0.0.1:" + port, Http.TOKEN);
    put(
        MAPS,
        """
        {"metadata": {"name": "files"}, "data": {"good.yaml": "%s", "bad.yaml": "kind: ["}}
        """
            .formatted(MAP.formatted("two")));
    put(
        "/api/v1/namespaces/default/secrets/",
        """
        {"metadata": {"name": "files", "labels": {"exaplane.io/addons-of": "demo"}}, "stringData": {"a.yaml": "%s"}}
        """
            .formatted(MAP.formatted("three")));
    put("/api/v1/namespaces/", "{\"metadata\": {\"name\": \"team\"}}");
    put(MAPS, "{\"metadata\": {\"name\": \"others\"}, \"data\": {\"a\": \"1\"}}");
  }

  @AfterAll
  static void end() {
    if (bed != null) {
      bed.close();
    }
    http.shutdownNow();
    SERVERS.reversed().forEach(Server::close);
  }

  @Test
  @Order(1)
  void threeSourcesAreAppliedAndABadFileIsNamed() throws Exception {
    bed.addons(String.join(", ", INLINE, MAPPED, SECRET));
    await("one and three are ready", () -> ready("one") && ready("three"));
    await("two has failed", () -> reason("two").equals("AddonFailed"));
    assertThat(value(MAPS + "one")).isEqualTo("first");
    assertThat(value(MAPS + "two")).as("the good file is applied").isEqualTo("first");
    assertThat(value(MAPS + "three")).isEqualTo("first");
    AddonStatus two = bed.pass().get("two");
    assertThat(two.failures()).as("%s", two).hasSize(1);
    assertThat(two.failures().getFirst().file()).isEqualTo("bad.yaml");
    assertThat(two.failures().getFirst().line()).isEqualTo(1);
  }

  @Test
  @Order(2)
  void aChangedSourceIsReadAtOnce() throws Exception {
    ask("PATCH", MAPS + "files", "application/merge-patch+json", "{\"data\":{\"bad.yaml\":null}}");
    await("two is ready", () -> ready("two"));
  }

  @Test
  @Order(3)
  void driftIsPutRightWithinTwoSeconds() throws Exception {
    String saved = version(INVENTORIES + "one");
    long from = System.nanoTime();
    ask("PATCH", MAPS + "one", "application/merge-patch+json", "{\"data\":{\"a\":\"second\"}}");
    await("the drift is put right", () -> value(MAPS + "one").equals("first"));
    long millis = (System.nanoTime() - from) / 1_000_000;
    System.out.println("a drift was put right after " + millis + " ms");
    assertThat(millis).isLessThan(10_000);
    assertThat(bed.pass().get("one").ready()).as("no condition turns for that").isTrue();
    await(
        "the inventory has the object as it is now",
        () -> !version(INVENTORIES + "one").equals(saved));
  }

  @Test
  @Order(4)
  void aRestartAppliesNothing() throws Exception {
    double applies = applies();
    Map<String, AddonStatus> before = bed.pass();
    double avoided = bed.count("exaplane.addon.applies.avoided");
    bed.restart();
    await(
        "the new engine has looked",
        () -> bed.count("exaplane.addon.applies.avoided") >= avoided + 3);
    await("all is as before", () -> bed.pass().equals(before));
    assertThat(applies()).as("applies of ConfigMaps on the server").isEqualTo(applies);
  }

  @Test
  @Order(5)
  void anAccountWithoutRightsIsRefusedAndTold() throws Exception {
    bed.addons(String.join(", ", INLINE, MAPPED, SECRET, TEAM));
    await("the refusal is told", () -> reason("team").equals("AddonFailed"));
    assertThat(bed.pass().get("team").message()).contains("team/exaplane-addon-team");
    assertThat(bed.pass().get("one").ready()).isTrue();
    assertThat(value(TEAM_MAPS + "four")).isEmpty();
    grant();
    await("the account's own namespace is filled", () -> !value(TEAM_MAPS + "four").isEmpty());
    await(
        "the other one is refused",
        () -> String.valueOf(bed.pass().get("team").failures()).contains("default/five"));
    assertThat(bed.pass().get("team").failures().toString()).contains("403", "inline.yaml");
    assertThat(value(MAPS + "five")).isEmpty();
  }

  @Test
  @Order(6)
  void aRemovedSourceLosesExactlyItsObjects() throws Exception {
    bed.addons(
        String.join(", ", INLINE, SECRET.replace("name: three", "name: three, prune: Keep")));
    await("two is removed", () -> !bed.pass().containsKey("two"));
    assertThat(value(MAPS + "two")).isEmpty();
    assertThat(code(INVENTORIES + "two")).isEqualTo(404);
    assertThat(value(MAPS + "one")).isEqualTo("first");
    assertThat(value(MAPS + "three")).isEqualTo("first");
    assertThat(value(MAPS + "others")).isEqualTo("1");
    assertThat(bed.news().toString()).contains("AddonRemoved Add-on two");
    await("three is ready", () -> ready("three"));
    bed.addons("");
    bed.restart();
    await("nothing is left to remove", () -> bed.pass().isEmpty());
    assertThat(value(MAPS + "one")).as("removed by an operator that began later").isEmpty();
    assertThat(value(MAPS + "three")).as("kept").isEqualTo("first");
  }

  @Test
  @Order(7)
  void theSchemaHoldsItsRules() throws Exception {
    String objects = "/apis/exaplane.io/v1alpha1/namespaces/default/controlplanes";
    String definition = Files.readString(DEFINITION);
    HttpResponse<String> made =
        ask(
            "POST",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "application/yaml",
            definition);
    assertThat(made.statusCode()).as("%s", made.body()).isEqualTo(201);
    await("the definition is served", () -> code(objects) == 200);
    String sample = Files.readString(SAMPLE);
    assertThat(ask("POST", objects, "application/yaml", sample).statusCode()).isEqualTo(201);
    String one =
        """
        {apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, metadata: {name: %s},
         spec: {version: 1.37.0, maxNodes: 10, addons: [{name: a, %s}]}}
        """;
    assertThat(refusal(objects, one.formatted("x", "interval: 5m"))).contains("exactly one");
    assertThat(refusal(objects, one.formatted("x", "inline: x, configMap: {name: files}")))
        .contains("exactly one");
    assertThat(refusal(objects, one.formatted("x", "inline: x, dependsOn: [b]")))
        .contains("dependsOn contains a name");
    assertThat(refusal(objects, one.formatted("x", "inline: x, interval: 0s")))
        .contains("interval");
    String account = "inline: x, serviceAccount: {namespace: team, name: deployer}";
    assertThat(
            ask("POST", objects, "application/yaml", one.formatted("account", account))
                .statusCode())
        .isEqualTo(201);
    HttpResponse<String> moved =
        ask(
            "PATCH",
            objects + "/account",
            "application/json-patch+json",
            "[{\"op\": \"replace\", \"path\": \"/spec/addons/0/serviceAccount/namespace\", \"value\": \"other\"}]");
    assertThat(moved.statusCode()).as("%s", moved.body()).isEqualTo(422);
    assertThat(moved.body()).contains("is immutable");
  }

  private static String refusal(String collection, String object) throws Exception {
    HttpResponse<String> answer = ask("POST", collection, "application/yaml", object);
    assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(422);
    return answer.body();
  }

  /** The account may see ConfigMaps everywhere, and change those of its namespace. */
  private static void grant() throws Exception {
    String rbac = "/apis/rbac.authorization.k8s.io/v1/";
    String subject =
        "\"subjects\": [{\"kind\": \"ServiceAccount\", \"namespace\": \"team\", \"name\": \"deployer\"}]";
    put(
        rbac + "clusterroles/",
        """
        {"metadata": {"name": "sees"}, "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch"]}]}
        """);
    put(
        rbac + "clusterrolebindings/",
        """
        {"metadata": {"name": "sees"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "sees"}, %s}
        """
            .formatted(subject));
    put(
        rbac + "namespaces/team/roles/",
        """
        {"metadata": {"name": "writes"}, "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create", "patch", "delete"]}]}
        """);
    put(
        rbac + "namespaces/team/rolebindings/",
        """
        {"metadata": {"name": "writes"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "writes"}, %s}
        """
            .formatted(subject));
  }

  /** Passes go on while the test waits, as events would bring them. */
  private static void await(String what, Callable<Boolean> holds) throws Exception {
    Await.until(
        PATIENCE,
        what,
        () -> {
          bed.pass();
          return holds.call();
        },
        bed::pass);
  }

  private static boolean ready(String name) {
    AddonStatus status = bed.pass().get(name);
    return status != null && Boolean.TRUE.equals(status.ready());
  }

  private static String reason(String name) {
    AddonStatus status = bed.pass().get(name);
    return status == null ? "" : status.reason();
  }

  private static String value(String path) throws Exception {
    JsonNode object = JSON.readTree(ask("GET", path, "application/json", "").body());
    return object.path("data").path("a").asText("");
  }

  private static String version(String path) throws Exception {
    return JSON.readTree(ask("GET", path, "application/json", "").body())
        .path("metadata")
        .path("resourceVersion")
        .asText("");
  }

  private static int code(String path) throws Exception {
    return ask("GET", path, "application/json", "").statusCode();
  }

  private static double applies() throws Exception {
    return ask("GET", "/metrics", "application/json", "")
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"configmaps\"") && line.contains("verb=\"APPLY\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static void put(String collection, String object) throws Exception {
    HttpResponse<String> made =
        ask("POST", collection.replaceAll("/$", ""), "application/json", object);
    assertThat(made.statusCode()).as("%s", made.body()).isEqualTo(201);
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
