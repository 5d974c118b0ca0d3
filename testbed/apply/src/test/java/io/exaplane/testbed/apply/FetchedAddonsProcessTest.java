// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.operator.controlplane.addon.AddonBed;
import io.exaplane.testbed.machine.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
 * Add-ons from a registry and a Git server, and fields that others set, on a real kube-apiserver
 * with the operator's own HTTP client. Each test goes on from where the one before ended.
 */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FetchedAddonsProcessTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: %s}\n";
  private static final String WEB = "/apis/apps/v1/namespaces/default/deployments/web";
  private static final String DEPLOYMENT =
      "{name: web, %sinline: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, paused: true, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: \"example.com/web:%s\"}]}}}}'}";
  private static final String RULE =
      "ignoreDifferences: [{kind: Deployment, jsonPointers: [/spec/replicas]}], ";

  @TempDir private static Path folder;
  private static Cluster cluster;
  private static Places places;
  private static AddonBed bed;
  private static String sources;

  @BeforeAll
  static void start() throws Exception {
    places = new Places(folder.resolve("repository"));
    cluster = Cluster.in(folder);
    bed = new AddonBed(cluster.uri("").toString(), Http.TOKEN);
    sources =
        "{name: artifact, interval: 1s, oci: {reference: '%s/shop:v1'}}, {name: repository, interval: 1s, git: {url: '%s', ref: main, path: prod}}"
            .formatted(places.host(), places.url());
  }

  @AfterAll
  static void end() {
    if (bed != null) {
      bed.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (places != null) {
      places.close();
    }
  }

  @Test
  @Order(1)
  void anArtifactAndAnOverlayOfARepositoryAreApplied() throws Exception {
    places.artifact("v1", MAP.formatted("one", "first"));
    String commit =
        places.commit(
            Map.of(
                "base/a.yaml", MAP.formatted("two", "first"),
                "base/kustomization.yaml", "resources: [a.yaml]\n",
                "prod/kustomization.yaml", "resources: [../base]\nnamePrefix: prod-\n"));
    bed.addons(sources);
    bed.await(PATIENCE, "both are ready", () -> bed.ready("artifact") && bed.ready("repository"));
    assertThat(cluster.value("default", "one")).isEqualTo("first");
    assertThat(cluster.value("default", "prod-two")).isEqualTo("first");
    assertThat(bed.pass().get("artifact").fetchedRevision()).startsWith("v1@sha256:");
    assertThat(bed.pass().get("repository").fetchedRevision()).isEqualTo("main@sha1:" + commit);
    for (String name : List.of("artifact", "repository")) {
      bed.await(
          PATIENCE,
          "the inventory of " + name + " is known",
          () -> ("kube-system/exaplane-addon-" + name).equals(bed.pass().get(name).inventory()));
    }
  }

  @Test
  @Order(2)
  void whatDidNotChangeCostsAHeadAndNoApply() throws Exception {
    double applies = cluster.applies();
    places.asked.clear();
    bed.await(
        PATIENCE,
        "both were asked three times",
        () -> asked("/v2/") >= 3 && asked("/shop.git") >= 3);
    assertThat(places.asked)
        .filteredOn(one -> one.contains("/v2/"))
        .allMatch(one -> one.startsWith("HEAD "));
    assertThat(places.asked).as("no commit is fetched").noneMatch(one -> one.contains("blobs"));
    assertThat(cluster.applies()).isEqualTo(applies);
  }

  private static long asked(String part) {
    return places.asked.stream().filter(one -> one.contains(part)).count();
  }

  @Test
  @Order(3)
  void aNewCommitIsAppliedAndMovesAnObjectWithoutDeletingIt() throws Exception {
    String uid = uid("one");
    places.artifact("v1", MAP.formatted("other", "first"));
    places.commit(
        Map.of(
            "base/a.yaml",
            MAP.formatted("two", "second") + "---\n" + MAP.formatted("one", "x"),
            "prod/kustomization.yaml",
            "resources: [../base]\n"));
    bed.await(
        PATIENCE, "the commit is applied", () -> cluster.value("default", "two").equals("second"));
    bed.await(PATIENCE, "the object has moved", () -> cluster.value("default", "one").equals("x"));
    assertThat(uid("one")).as("nobody deleted the object in between").isEqualTo(uid);
  }

  private static String uid(String name) throws Exception {
    return cluster
        .get("/api/v1/namespaces/default/configmaps/" + name)
        .at("/metadata/uid")
        .asText("");
  }

  @Test
  @Order(4)
  void theLastGoodRevisionIsKeptWhileThePlaceIsAway() throws Exception {
    Instant before = Instant.now().minusSeconds(1);
    places.isAway = true;
    bed.await(
        PATIENCE, "that is told", () -> bed.reason("repository").equals("AddonSourceUnreadable"));
    bed.await(PATIENCE, "of both", () -> bed.reason("artifact").equals("AddonSourceUnreadable"));
    AddonStatus away = bed.pass().get("artifact");
    assertThat(away.message()).contains("HTTP 503", "stay applied");
    assertThat(Instant.parse(away.unreadableSince())).isBetween(before, Instant.now());
    cluster.change("/api/v1/namespaces/default/configmaps/one", "{\"data\":{\"a\":\"drift\"}}");
    bed.await(PATIENCE, "drift is put right", () -> cluster.value("default", "one").equals("x"));
    places.isAway = false;
    bed.await(PATIENCE, "both are ready", () -> bed.ready("artifact") && bed.ready("repository"));
    assertThat(bed.pass().get("artifact").unreadableSince()).isNull();
  }

  @Test
  @Order(5)
  void aFieldOfOthersKeepsItsValueAndIsNoDrift() throws Exception {
    bed.addons(DEPLOYMENT.formatted("", "1"));
    bed.await(PATIENCE, "the field is ours", () -> replicas() == 3);
    bed.await(PATIENCE, "the inventory is known", () -> bed.pass().get("web").inventory() != null);
    bed.addons(DEPLOYMENT.formatted(RULE, "2"));
    bed.await(PATIENCE, "the rule is applied", () -> image().endsWith(":2"));
    assertThat(replicas()).as("the value stays when we let the field go").isEqualTo(3);
    bed.await(
        PATIENCE,
        "the field is somebody's who is not followed",
        () -> managers().contains("exaplane-addons-ignored"));
    cluster.change(WEB, "{\"spec\":{\"replicas\":7,\"paused\":false}}");
    bed.await(
        PATIENCE,
        "what is ours is put right",
        () -> cluster.get(WEB).at("/spec/paused").asBoolean());
    assertThat(replicas()).as("what is not ours is left").isEqualTo(7);
    bed.addons(DEPLOYMENT.formatted(RULE, "3"));
    bed.await(PATIENCE, "a change is applied", () -> image().endsWith(":3"));
    assertThat(replicas()).isEqualTo(7);
    bed.addons(DEPLOYMENT.formatted("", "3"));
    bed.await(PATIENCE, "without the rule, the field is ours again", () -> replicas() == 3);
  }

  private static int replicas() throws Exception {
    return cluster.get(WEB).at("/spec/replicas").asInt();
  }

  private static String image() throws Exception {
    return cluster.get(WEB).at("/spec/template/spec/containers/0/image").asText("");
  }

  private static String managers() throws Exception {
    StringBuilder names = new StringBuilder();
    for (JsonNode one : cluster.get(WEB).at("/metadata/managedFields")) {
      names.append(one.path("manager").asText()).append(' ');
    }
    return names.toString();
  }

  @Test
  @Order(6)
  void aRemovalWithoutItsInventoryDeletesNothing() throws Exception {
    bed.addons(DEPLOYMENT.formatted("paused: true, ", "3"));
    bed.await(PATIENCE, "the source is paused", () -> bed.reason("web").equals("Paused"));
    cluster.delete("/api/v1/namespaces/kube-system/configmaps/exaplane-addon-web");
    bed.addons("");
    bed.await(PATIENCE, "that is told", () -> bed.reason("web").equals("AddonFailed"));
    assertThat(bed.pass().get("web").message()).contains("exaplane-addon-web", "is gone");
    assertThat(replicas()).isEqualTo(3);
    bed.addons(DEPLOYMENT.formatted("", "3"));
    bed.await(
        PATIENCE,
        "the source is back",
        () -> bed.ready("web") || bed.reason("web").equals("AddonsApplying"));
    bed.await(
        PATIENCE,
        "and has its inventory",
        () -> managers().contains("exaplane-addons") && inventory());
    bed.addons("");
    bed.await(PATIENCE, "the removal deletes the object", () -> !bed.pass().containsKey("web"));
    assertThat(replicas()).isZero();
  }

  private static boolean inventory() throws Exception {
    return cluster
        .get("/api/v1/namespaces/kube-system/configmaps/exaplane-addon-web")
        .path("binaryData")
        .has("records");
  }
}
