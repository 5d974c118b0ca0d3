// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.operator.controlplane.addon.AddonBed;
import io.exaplane.testbed.machine.ApiServerCommand;
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
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AddonsProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path HOME = Path.of("../..");
  private static final Path DEFINITION =
      HOME.resolve("crds/generated/controlplanes.exaplane.io.yaml");
  private static final Path SAMPLE = HOME.resolve("config/samples/controlplane-addons.yaml");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
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
    bed.await(PATIENCE, "one and three are ready", () -> bed.ready("one") && bed.ready("three"));
    bed.await(PATIENCE, "two has failed", () -> bed.reason("two").equals("AddonFailed"));
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
    bed.await(PATIENCE, "two is ready", () -> bed.ready("two"));
  }

  @Test
  @Order(3)
  void driftIsPutRight() throws Exception {
    String saved = version(INVENTORIES + "one");
    long from = System.nanoTime();
    ask("PATCH", MAPS + "one", "application/merge-patch+json", "{\"data\":{\"a\":\"second\"}}");
    bed.await(PATIENCE, "the drift is put right", () -> value(MAPS + "one").equals("first"));
    long millis = (System.nanoTime() - from) / 1_000_000;
    System.out.println("a drift was put right after " + millis + " ms (wanted: 2,000)");
    assertThat(bed.pass().get("one").ready()).as("no condition turns for that").isTrue();
    bed.await(
        PATIENCE,
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
    bed.await(
        PATIENCE,
        "the new engine has looked",
        () -> bed.count("exaplane.addon.applies.avoided") >= avoided + 3);
    bed.await(PATIENCE, "all is as before", () -> bed.pass().equals(before));
    assertThat(applies()).as("applies of ConfigMaps on the server").isEqualTo(applies);
  }

  @Test
  @Order(5)
  void anAccountWithoutRightsIsRefusedAndTold() throws Exception {
    bed.addons(String.join(", ", INLINE, MAPPED, SECRET, TEAM));
    bed.await(
        PATIENCE,
        "the refusal is told",
        () ->
            bed.reason("team").equals("AddonFailed")
                && bed.pass().get("team").message().contains("team/exaplane-addon-team"));
    bed.await(PATIENCE, "the others are ready", () -> bed.ready("one"));
    assertThat(value(TEAM_MAPS + "four")).isEmpty();
    grant();
    bed.await(
        PATIENCE,
        "the account's own namespace is filled",
        () -> !value(TEAM_MAPS + "four").isEmpty());
    bed.await(
        PATIENCE,
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
    bed.await(PATIENCE, "two is removed", () -> !bed.pass().containsKey("two"));
    assertThat(value(MAPS + "two")).isEmpty();
    assertThat(code(INVENTORIES + "two")).isEqualTo(404);
    assertThat(value(MAPS + "one")).isEqualTo("first");
    assertThat(value(MAPS + "three")).isEqualTo("first");
    assertThat(value(MAPS + "others")).isEqualTo("1");
    bed.await(
        PATIENCE,
        "the removal is told",
        () -> bed.news().toString().contains("AddonRemoved Add-on two"));
    bed.await(PATIENCE, "three is ready", () -> bed.ready("three"));
    bed.addons("");
    bed.restart();
    bed.await(PATIENCE, "nothing is left to remove", () -> bed.pass().isEmpty());
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
    bed.await(PATIENCE, "the definition is served", () -> code(objects) == 200);
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
    String git = "git: {url: 'https://git.example.com/x'}";
    assertThat(refusal(objects, one.formatted("x", git + ", interval: 10s")))
        .contains("interval must be at least 30s");
    assertThat(refusal(objects, one.formatted("x", git + ", inline: x"))).contains("exactly one");
    assertThat(refusal(objects, one.formatted("x", "git: {url: 'http://git.example.com/x'}")))
        .contains("url");
    String rule = "inline: x, ignoreDifferences: [{kind: Pod, jsonPointers: ['%s']}]";
    assertThat(refusal(objects, one.formatted("x", rule.formatted("/metadata/name"))))
        .contains("without which it is no object");
    assertThat(refusal(objects, one.formatted("x", rule.formatted("spec"))))
        .contains("jsonPointers");
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

  /** No controller makes pods here, so the workloads are not healthy. */
  @Test
  @Order(8)
  void builtInAddonsAreObjectsThatTheServerTakes() throws Exception {
    String system = "/api/v1/namespaces/kube-system/";
    String workloads = "/apis/apps/v1/namespaces/kube-system/";
    List<String> objects =
        List.of(
            system + "services/kube-dns",
            system + "configmaps/exaplane-coredns",
            workloads + "deployments/exaplane-coredns",
            workloads + "daemonsets/exaplane-kube-proxy",
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/exaplane-coredns");
    bed.addons("{name: dns, builtIn: CoreDNS}, {name: proxy, builtIn: KubeProxy}");
    for (String object : objects) {
      bed.await(PATIENCE, object + " is there", () -> code(object) == 200);
    }
    JsonNode service = JSON.readTree(ask("GET", objects.getFirst(), "application/json", "").body());
    assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("10.96.0.10");
    for (String name : List.of("dns", "proxy")) {
      bed.await(
          PATIENCE,
          name + " is applied without a failure, and has no pods",
          () ->
              bed.reason(name).equals("AddonsApplying") && bed.pass().get(name).failures() == null);
    }
    bed.addons("");
    bed.await(PATIENCE, "nothing is left to remove", () -> bed.pass().isEmpty());
    for (String object : objects) {
      assertThat(code(object)).as(object).isEqualTo(404);
    }
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
