// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Cause;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.testbed.machine.Await;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Objects, servers and other writers as people meet them when nobody means well. */
@Timeout(600)
class HostileProcessTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Options FOLLOWING = Options.DEFAULTS.following(true);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String HOOKS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s, labels: {%s}}\ndata: {a: \"1\"}\n---\n";

  /** Each is refused, or ends a line, in some form of YAML or JSON. */
  private static final String ODD = "😀 𝒳 \u2028 é \uFEFF y: # -";

  @RegisterExtension static final SharedCluster SHARED = new SharedCluster();
  private static Cluster cluster;
  private static Webhook webhook;
  @TempDir private Path files;

  @BeforeAll
  static void start() throws Exception {
    cluster = SHARED.cluster();
    webhook = new Webhook(Files.createDirectories(SHARED.folder().resolve("hostile")));
    cluster.create(HOOKS + "mutatingwebhookconfigurations", webhook.configuration());
    Await.until(
        SOON,
        "the server asks the webhook",
        () -> cluster.tried("refuse").statusCode() == 403,
        () -> cluster.tried("refuse").body());
  }

  @AfterAll
  static void end() throws Exception {
    cluster.delete(HOOKS + "mutatingwebhookconfigurations/noon");
    webhook.close();
  }

  private List<Manifest> manifests(String yaml) throws Exception {
    Path file = Files.writeString(files.resolve("m.yaml"), yaml);
    return ManifestReader.read(List.of(file), InputStream.nullInputStream()).manifests();
  }

  private static String map(String name) {
    return MAP.formatted(name, "default", "");
  }

  private static void applied(Runner runner, ApplySet set, String name) throws Exception {
    Await.until(
        SOON,
        name + " is applied, whatever the others do",
        () ->
            runner.summary(set).items().stream()
                .anyMatch(one -> one.key().name().equals(name) && one.outcome() == Outcome.APPLIED),
        () -> runner.summary(set));
  }

  /** Until it is said of an object of a source. */
  private static void said(Runner runner, ApplySet set, String name, String... words)
      throws Exception {
    Await.until(
        SOON,
        name + " is named",
        () -> isSaid(runner, set, name, words),
        () -> runner.summary(set));
  }

  private static boolean isSaid(Runner runner, ApplySet set, String name, String... words)
      throws InterruptedException {
    return runner.summary(set).items().stream()
        .anyMatch(
            one ->
                one.key().name().equals(name)
                    && List.of(words).stream().allMatch(one.words()::contains));
  }

  private static void good(Runner runner, ApplySet set) throws Exception {
    Await.until(SOON, "all is well", () -> runner.summary(set).good(), () -> runner.summary(set));
  }

  /**
   * Quantities, defaults, ports and an unfit namespace: what the server writes differs. Characters
   * that a parser of YAML takes in one form only arrive as they are.
   */
  @Test
  void whatAServerWritesInItsOwnFormIsNoDrift() throws Exception {
    String yaml =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: forms, namespace: default, creationTimestamp: null, resourceVersion: "7", uid: x, managedFields: []}
        spec:
          selector: {matchLabels: {a: b}}
          template:
            metadata: {labels: {a: b}, creationTimestamp: null}
            spec:
              containers:
              - name: main
                image: registry.example.com/a:1
                ports: [{containerPort: 80}]
                resources: {requests: {cpu: 1000m, memory: 1024Mi}, limits: {cpu: "1.0"}}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: forms, namespace: default}
        spec: {selector: {a: b}, ports: [{port: 80}]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: forms, namespace: default}
        rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: characters, namespace: default}
        data: {a: "😀 𝒳 \\u2028 é \\uFEFF y: # -"}
        """;
    ApplySet set = new ApplySet("forms", "default");
    for (int process = 0; process < 2; process++) {
      try (ServerPort port = cluster.port(Cluster.ADMIN);
          Runner runner = new Runner(port, FOLLOWING, any -> {})) {
        runner.want(set, manifests(yaml), true);
        Summary summary = runner.awaitIdle(set, SOON);
        assertThat(summary.good()).as("%s", summary).isTrue();
        assertThat(summary.count(process == 0 ? Outcome.APPLIED : Outcome.UNCHANGED)).isEqualTo(4);
      }
    }
    assertThat(cluster.value("default", "characters")).isEqualTo(ODD);
  }

  @Test
  void aWebhookThatWritesItsOwnValueIsNoFight() throws Exception {
    ApplySet set = new ApplySet("changed", "default");
    String yaml = MAP.formatted("hooked", "default", "webhook: change");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(yaml), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      assertThat(cluster.value("default", "hooked")).isEqualTo(Webhook.VALUE);
      // Whatever the first one's events cause has happened when the second one is done.
      runner.want(set, manifests(yaml + map("behind")), true);
      Summary summary = runner.awaitIdle(set, SOON);
      assertThat(summary.good()).as("%s", summary).isTrue();
      assertThat(summary.counters().applies(Cause.DRIFT)).isZero();
    }
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(yaml + map("behind")), true);
      assertThat(runner.awaitIdle(set, SOON).count(Outcome.UNCHANGED)).isEqualTo(2);
    }
    assertThat(webhook.asked("hooked")).as("asked once, for the one change").isOne();
  }

  /** Somebody else puts back his value whenever he sees ours. */
  @Test
  void aFightIsNamedWithTheOtherManager() throws Exception {
    ApplySet set = new ApplySet("fight", "default");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(map("fought")), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      long from = System.nanoTime();
      Await.until(
          SOON,
          "the fight is named",
          () -> {
            if (cluster.value("default", "fought").equals("1")) {
              cluster.change(MAPS + "/fought?fieldManager=opponent", "{\"data\":{\"a\":\"2\"}}");
            }
            return isSaid(runner, set, "fought", ".data.a", "opponent", "times in 10 minutes");
          },
          () -> runner.summary(set));
      System.out.printf("a fight is named after %d ms%n", (System.nanoTime() - from) / 1_000_000);
      long repairs = runner.summary(set).counters().applies(Cause.DRIFT);
      assertThat(repairs).as("it settles: each repair waits longer").isLessThan(8);
      Await.until(
          SOON,
          "ours is the last word",
          () -> cluster.value("default", "fought").equals("1"),
          () -> runner.summary(set));
    }
  }

  @Test
  void aFullQuotaIsNamedUntilThereIsRoom() throws Exception {
    ApplySet set = new ApplySet("quota", "default");
    cluster.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"tight\"}}");
    String quotas = "/api/v1/namespaces/tight/resourcequotas";
    cluster.create(
        quotas, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"count/configmaps\":\"1\"}}}");
    String status =
        "{\"status\":{\"hard\":{\"count/configmaps\":\"1\"},\"used\":{\"count/configmaps\":\"%d\"}}}";
    cluster.change(quotas + "/q/status", status.formatted(1));
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(MAP.formatted("more", "tight", "") + map("free-of-quota")), true);
      said(runner, set, "more", "exceeded quota: q");
      applied(runner, set, "free-of-quota");
      cluster.change(quotas + "/q/status", status.formatted(0));
      good(runner, set);
    }
  }

  @Test
  void aFieldThatNobodyCanChangeIsNamedWithTheWayOut() throws Exception {
    ApplySet set = new ApplySet("fixed", "default");
    String yaml =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: fixed, namespace: default}\nimmutable: true\ndata: {a: %s}\n";
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(yaml.formatted("MQ==")), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      runner.want(set, manifests(yaml.formatted("Mg==")), true);
      said(runner, set, "fixed", "immutable", "delete the object, which is then created again");
      cluster.delete("/api/v1/namespaces/default/secrets/fixed");
      good(runner, set);
    }
    JsonNode secret = cluster.get("/api/v1/namespaces/default/secrets/fixed");
    assertThat(secret.at("/data/a").asText()).isEqualTo("Mg==");
  }

  @Test
  void aDeletionThatAWebhookRefusesIsNamedAndDoneLater() throws Exception {
    ApplySet set = new ApplySet("kept-by-hook", "default");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING.pruning(true, false), any -> {})) {
      String yaml = MAP.formatted("kept-by-hook-a", "default", "webhook: keep") + map("stays");
      runner.want(set, manifests(yaml), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      runner.want(set, manifests(map("stays")), true);
      Await.until(
          SOON,
          "the refused deletion is named",
          () ->
              runner.summary(set).problems().stream()
                  .map(Notice::message)
                  .anyMatch(one -> one.contains("kept-by-hook-a") && one.contains(Webhook.WORDS)),
          () -> runner.summary(set));
      webhook.allow();
      good(runner, set);
    }
    assertThat(cluster.value("default", "kept-by-hook-a")).isEmpty();
  }

  @Test
  void objectsThatCannotBeAreNamedAndOthersGoOn() throws Exception {
    ApplySet set = new ApplySet("cannot", "default");
    String definition =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %1$ss.hostile.example.com}
        spec:
          group: hostile.example.com
          scope: Namespaced
          names: {kind: %2$s, plural: %1$ss, shortNames: [bl]}
          versions:
          - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
        ---
        """;
    String blob =
        "apiVersion: hostile.example.com/v1\nkind: %s\nmetadata: {name: %s, namespace: default}\nspec: {text: %s}\n---\n";
    String yaml =
        "apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nmetadata: {name: asked}\nspec: {token: x}\n---\n"
            + map("goes-on")
            + map("long").replace("a: \"1\"", "a: " + "x".repeat(1_100_000))
            + definition.formatted("blob", "Blob");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(yaml), true);
      said(runner, set, "long", "1048576 bytes");
      assertThat(runner.summary(set).problems())
          .singleElement()
          .extracting(Notice::message)
          .asString()
          .contains("TokenReview", "it allows only: create; delete the manifest");
      applied(runner, set, "goes-on");
      runner.want(
          set,
          manifests(
              definition.formatted("blob", "Blob")
                  + definition.formatted("other", "Other")
                  + blob.formatted("Blob", "too-large", "x".repeat(2_000_000))
                  + blob.formatted("Blob", "small", "x")
                  + blob.formatted("Other", "unborn", "x")),
          true);
      said(runner, set, "too-large", "too large");
      said(runner, set, "unborn", "does not establish", "choose other names");
      applied(runner, set, "small");
      Await.until(
          SOON,
          "nobody waits for what will not come",
          () -> runner.idle(set),
          () -> runner.summary(set));
    }
  }

  @Test
  void anInventoryWithoutANamespaceIsNamedUntilThereIsOne() throws Exception {
    ApplySet set = new ApplySet("nowhere", "not-yet");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, FOLLOWING, any -> {})) {
      runner.want(set, manifests(map("of-nowhere")), true);
      Await.until(
          SOON,
          "the inventory's namespace is named",
          () -> runner.summary(set).halted().contains("not-yet/nowhere, can't be written: 404"),
          () -> runner.summary(set));
      assertThat(cluster.value("default", "of-nowhere")).isEmpty();
      cluster.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"not-yet\"}}");
      good(runner, set);
    }
  }
}
