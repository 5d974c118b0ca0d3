// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.testbed.machine.Await;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a real kube-apiserver and others in the cluster do to a source, and how it ends. */
@Timeout(600)
class FaultsProcessTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s%s}\ndata: {a: \"1\"}\n---\n";
  private static final String CRDS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com";
  private static final Options FOLLOWING = Options.DEFAULTS.following(true);

  @RegisterExtension static final SharedCluster SHARED = new SharedCluster();
  private static Cluster cluster;
  private static Webhook webhook;
  @TempDir private Path files;

  @BeforeAll
  static void start() throws Exception {
    cluster = SHARED.cluster();
    webhook = new Webhook(SHARED.folder());
    cluster.create(
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        webhook.configuration());
    Await.until(
        SOON,
        "the server asks the webhook",
        () -> cluster.tried("refuse").statusCode() == 403,
        () -> cluster.tried("refuse").body());
  }

  @AfterAll
  static void end() throws Exception {
    cluster.delete("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/noon");
    webhook.close();
  }

  private List<Manifest> manifests(String yaml) throws Exception {
    Path file = Files.writeString(files.resolve("m.yaml"), yaml);
    return ManifestReader.read(List.of(file), InputStream.nullInputStream()).manifests();
  }

  private static String map(String namespace, String name) {
    return MAP.formatted(name, namespace, "");
  }

  private static String labelled(String name, String label) {
    return MAP.formatted(name, "default", ", labels: {webhook: " + label + "}");
  }

  private static Summary.Item item(Summary summary, String name) {
    return summary.items().stream()
        .filter(one -> one.key().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** What is said of an object; empty before the engine knows it. */
  private static String words(Summary summary, String name) {
    return summary.items().stream()
        .filter(one -> one.key().name().equals(name))
        .findFirst()
        .map(Summary.Item::words)
        .orElse("");
  }

  @Test
  void aNamespaceThatEndsIsAwaitedAndMadeAgain() throws Exception {
    ApplySet whole = new ApplySet("ending", "default");
    ApplySet inner = new ApplySet("inner", "default");
    String namespace = "/api/v1/namespaces/ending";
    cluster.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"ending\"}}");
    cluster.delete(namespace);
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      String yaml = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ending}\n---\n";
      runner.want(whole, manifests(yaml + map("ending", "x")), true);
      runner.want(inner, manifests(map("ending", "inside")), true);
      Await.until(
          SOON,
          "both sources name the namespace's end",
          () ->
              words(runner.summary(whole), "ending").contains("being deleted")
                  && words(runner.summary(inner), "inside").contains("being terminated"),
          () -> runner.summary(whole) + " " + runner.summary(inner));
      // There is no controller-manager whose controller would do this.
      ObjectNode object = (ObjectNode) cluster.get(namespace);
      object.withObject("/spec").putArray("finalizers");
      // Whoever writes the Namespace meanwhile is no conflict.
      object.withObject("/metadata").remove("resourceVersion");
      cluster.put(namespace + "/finalize", object.toString());
      Await.until(
          SOON,
          "both objects are there",
          () ->
              cluster.value("ending", "x").equals("1")
                  && cluster.value("ending", "inside").equals("1"),
          () -> runner.summary(whole) + " " + runner.summary(inner));
      Await.until(
          SOON,
          "both sources are well",
          () -> runner.summary(whole).good() && runner.summary(inner).good(),
          () -> runner.summary(whole) + " " + runner.summary(inner));
    }
  }

  @Test
  void aDefinitionThatIsDeletedComesBackWithItsObjects() throws Exception {
    ApplySet set = new ApplySet("gadgets", "default");
    String path = "/apis/example.com/v1/namespaces/default/gadgets/g";
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(
          set,
          manifests(
              """
              apiVersion: apiextensions.k8s.io/v1
              kind: CustomResourceDefinition
              metadata: {name: gadgets.example.com}
              spec:
                group: example.com
                scope: Namespaced
                names: {kind: Gadget, plural: gadgets}
                versions:
                - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
              ---
              apiVersion: example.com/v1
              kind: Gadget
              metadata: {name: g, namespace: default}
              spec: {size: 1}
              """),
          true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      JsonNode before = cluster.get(path).path("metadata").path("uid");
      String definition = cluster.get(CRDS).path("metadata").path("uid").asText();
      cluster.delete(CRDS);
      Await.until(
          SOON,
          "another definition with another object",
          () -> {
            JsonNode uid = cluster.get(path).path("metadata").path("uid");
            return !uid.isMissingNode() && !uid.equals(before);
          },
          () -> runner.summary(set));
      assertThat(cluster.get(CRDS).path("metadata").path("uid").asText()).isNotEqualTo(definition);
      Await.until(SOON, "all is well", () -> runner.summary(set).good(), () -> runner.summary(set));
    }
  }

  @Test
  void aWebhookThatRefusesIsNamedAndAskedAgain() throws Exception {
    ApplySet set = new ApplySet("noon", "default");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(labelled("early", "refuse") + map("default", "free")), true);
      Summary refused = runner.awaitIdle(set, SOON);
      assertThat(item(refused, "early").outcome()).isEqualTo(Outcome.FAILED);
      assertThat(item(refused, "early").words()).contains("noon.example.com", Webhook.WORDS);
      assertThat(item(refused, "free").outcome()).isEqualTo(Outcome.APPLIED);
      webhook.allow();
      Await.until(
          SOON, "it is applied", () -> runner.summary(set).good(), () -> runner.summary(set));
    }
    assertThat(cluster.value("default", "early")).isEqualTo("1");
  }

  @Test
  void anObjectInTwoSourcesStaysWithTheFirst() throws Exception {
    ApplySet first = new ApplySet("first", "default");
    ApplySet second = new ApplySet("second", "default");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(first, manifests(map("default", "both")), true);
      assertThat(runner.awaitIdle(first, SOON).good()).isTrue();
      runner.want(second, manifests(map("default", "both") + map("default", "own")), true);
      Summary other = runner.awaitIdle(second, SOON);
      assertThat(other.problems()).hasSize(1);
      assertThat(other.problems().getFirst().message())
          .contains("ConfigMap default/both is also in source 'first'", "m.yaml:1");
      assertThat(item(other, "own").outcome()).isEqualTo(Outcome.APPLIED);
    }
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, Options.DEFAULTS, any -> {})) {
      runner.want(second, manifests(map("default", "both") + map("default", "own")), true);
      Summary other = runner.awaitIdle(second, SOON);
      assertThat(item(other, "both").outcome()).as("by another process").isEqualTo(Outcome.TAKEN);
      assertThat(item(other, "own").outcome()).isEqualTo(Outcome.UNCHANGED);
    }
  }

  /** A priority level with room for one request, and a request that holds the room. */
  @Test
  void theServersPaceIsKept() throws Exception {
    String apf = "/apis/flowcontrol.apiserver.k8s.io/v1/";
    cluster.create(
        apf + "prioritylevelconfigurations",
        """
        {"metadata": {"name": "narrow"}, "spec": {"type": "Limited", "limited":
         {"nominalConcurrencyShares": 0, "lendablePercent": 0, "borrowingLimitPercent": 0, "limitResponse": {"type": "Reject"}}}}
        """);
    bind("slow", "cluster-admin");
    ApplySet set = new ApplySet("slow", "default");
    try (ServerPort port = cluster.port("slow");
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(map("default", "slow-1")), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      JsonNode schema =
          cluster.create(
              apf + "flowschemas",
              """
          {"metadata": {"name": "narrow"}, "spec": {"priorityLevelConfiguration": {"name": "narrow"}, "matchingPrecedence": 10,
           "rules": [{"subjects": [{"kind": "User", "user": {"name": "slow"}}], "resourceRules":
            [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "clusterScope": true, "namespaces": ["*"]}]}]}}
          """);
      String uid = schema.path("metadata").path("uid").asText();
      Await.until(
          SOON,
          "the server uses the schema",
          () -> asSlow().headers().allValues("X-Kubernetes-PF-FlowSchema-UID").contains(uid),
          FaultsProcessTest::asSlow);
      CompletableFuture<HttpResponse<String>> held = held();
      ApiException refused =
          catchThrowableOfType(ApiException.class, () -> port.apply(request("slow-9")));
      assertThat(refused.failure().code()).isEqualTo(429);
      assertThat(refused.failure().retryAfterMs()).isGreaterThanOrEqualTo(1_000);
      long before = runner.summary(set).counters().throttled();
      long from = System.nanoTime();
      runner.want(set, manifests(map("default", "slow-1") + map("default", "slow-2")), true);
      Await.until(
          SOON,
          "three applies were throttled",
          () -> runner.summary(set).counters().throttled() >= before + 3,
          () -> runner.summary(set));
      assertThat(Duration.ofNanos(System.nanoTime() - from))
          .as("Retry-After is a second, so the third refusal comes after two of them")
          .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
      webhook.letGo();
      assertThat(held.get().statusCode()).as("%s", held.get().body()).isEqualTo(201);
      Await.until(
          SOON, "it is applied", () -> runner.summary(set).good(), () -> runner.summary(set));
    }
    assertThat(cluster.value("default", "slow-2")).isEqualTo("1");
  }

  /** A request that takes the room. It is refused, and sent again, while another one has it. */
  private static CompletableFuture<HttpResponse<String>> held() throws Exception {
    AtomicReference<CompletableFuture<HttpResponse<String>>> sent = new AtomicReference<>(send());
    Await.until(
        SOON,
        "the webhook holds a request",
        () -> {
          if (!webhook.isHolding() && sent.get().isDone()) {
            sent.set(send());
          }
          return webhook.isHolding();
        },
        sent::get);
    return sent.get();
  }

  private static CompletableFuture<HttpResponse<String>> send() {
    return cluster
        .http()
        .sendAsync(
            cluster.request(
                "slow",
                "POST",
                "/api/v1/namespaces/default/configmaps",
                "application/json",
                "{\"metadata\":{\"name\":\"held\",\"labels\":{\"webhook\":\"hold\"}}}"),
            BodyHandlers.ofString());
  }

  private ApplyRequest request(String name) throws Exception {
    Manifest manifest = manifests(map("default", name)).getFirst();
    ResourceType type =
        new ResourceType(manifest.gvk(), "configmaps", true, Set.of("patch", "list"));
    return new ApplyRequest(
        type, manifest.key(), manifest.body(), "exaplane", true, Content.METADATA);
  }

  private static HttpResponse<String> asSlow() throws Exception {
    return cluster.send(
        cluster.request("slow", "GET", "/api/v1/namespaces/default", "application/json", ""));
  }

  private static void bind(String user, String role) throws Exception {
    cluster.create(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        """
        {"metadata": {"name": "%s"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%s"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "%s"}]}
        """
            .formatted(user, role, user));
    // The server learns of roles by watches.
    Await.until(
        SOON,
        user + " may write ConfigMaps",
        () -> cluster.mayWriteMaps(user),
        () -> cluster.get("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/" + user));
  }

  @Test
  void whoIsImpersonatedDoesWhatHeMayAndNoMore() throws Exception {
    cluster.create(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        """
        {"metadata": {"name": "maps"}, "rules": [{"apiGroups": [""], "resources": ["configmaps"],
         "verbs": ["get", "list", "watch", "create", "patch"]}]}
        """);
    bind("guest", "maps");
    ApplySet set = new ApplySet("guests", "default");
    String secret =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default}\ndata: {}\n---\n";
    try (ServerPort port = cluster.port("guest");
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(map("default", "of-guest") + secret), true);
      Summary summary = runner.awaitIdle(set, SOON);
      assertThat(item(summary, "of-guest").outcome()).isEqualTo(Outcome.APPLIED);
      assertThat(item(summary, "s").outcome()).isEqualTo(Outcome.FAILED);
      assertThat(item(summary, "s").words()).contains("\"guest\" cannot list resource \"secrets\"");
    }
    assertThat(cluster.value("default", "of-guest")).isEqualTo("1");
    assertThat(cluster.get("/api/v1/namespaces/default/secrets/s").path("code").asInt())
        .isEqualTo(404);
    try (ServerPort port = cluster.port("stranger");
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(map("default", "of-guest")), true);
      assertThat(runner.awaitIdle(set, SOON).halted())
          .contains("\"stranger\" cannot get resource \"configmaps\"");
    }
  }
}
