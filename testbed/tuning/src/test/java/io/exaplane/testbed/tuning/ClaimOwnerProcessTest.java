// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.Tuning;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real controllers read what the operator writes on a store's claim and StatefulSet with {@code
 * deletion: Delete}: the claim outlives the StatefulSet, and goes with the StoreShard.
 */
@ExtendWith(ControlPlanes.Given.class)
class ClaimOwnerProcessTest {
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String CLAIM = CORE + "persistentvolumeclaims/data-demo-0";
  private static final String SETS = "/apis/apps/v1/namespaces/default/statefulsets";
  private static final String SET = SETS + "/demo";
  private static final String SHARDS = "/apis/exaplane.io/v1alpha1/namespaces/default/storeshards";
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> FLAGS =
      List.of(
          "--use-service-account-credentials=true",
          "--controllers=statefulset-controller,garbage-collector-controller,persistentvolumeclaim-protection-controller");

  private final HttpClient http = Http.clientAt(InetAddress.getLoopbackAddress());
  @TempDir private Path folder;
  private ControlPlane controlPlane;

  @Test
  void aClaimOutlivesItsStatefulSetAndGoesWithItsStoreShard(ControlPlanes controlPlanes)
      throws Exception {
    Tuning tuning = Clusters.tuning(100);
    try (ControlPlane started =
        controlPlanes.start(folder, tuning, "--disable-admission-plugins=ServiceAccount")) {
      controlPlane = started;
      String shard = storeShard();
      controlPlane.startControllerManager(tuning, FLAGS);
      // As an earlier operator made them.
      String set = statefulSet(shard, "Delete");
      Await.until("the set owns the claim", () -> owners().equals(List.of(set)), this::claim);
      String uid = claim().at("/metadata/uid").asText();
      String revision = get(SET).at("/status/updateRevision").asText();

      patch(
          SET,
          "{\"spec\":{\"persistentVolumeClaimRetentionPolicy\":{\"whenDeleted\":\"Retain\"}}}");
      Await.until("the claim is as it was seen", () -> own(shard), this::claim);
      Await.until("only the shard does", () -> owners().equals(List.of(shard)), this::claim);
      assertThat(get(SET).at("/status/updateRevision").asText())
          .as("no other pod for it")
          .isEqualTo(revision);

      controlPlane.create(
          CORE + "configmaps",
          "{\"metadata\":{\"name\":\"of-the-set\",\"ownerReferences\":[%s]}}"
              .formatted(owner("apps/v1", "StatefulSet", set)));
      delete(SET);
      Await.until("the collector was there", () -> isGone(CORE + "configmaps/of-the-set"));
      assertThat(claim().at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
      statefulSet(shard, "Retain");
      Await.until("the next pod is there", () -> !isGone(CORE + "pods/demo-0"));
      assertThat(claim().at("/metadata/uid").asText()).as("the data").isEqualTo(uid);

      delete(SHARDS + "/demo");
      Await.until("the claim goes with the shard", () -> isGone(CLAIM), this::claim);
      Await.until("the set goes, too", () -> isGone(SET), () -> get(SET));
    }
  }

  private String storeShard() throws Exception {
    controlPlane.create(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        """
        {"metadata":{"name":"storeshards.exaplane.io"},"spec":{"group":"exaplane.io","scope":"Namespaced",
         "names":{"kind":"StoreShard","plural":"storeshards"},
         "versions":[{"name":"v1alpha1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
        """);
    Await.until("the kind is served", () -> !isGone(SHARDS));
    return uid(
        controlPlane.create(
            SHARDS,
            "{\"apiVersion\":\"exaplane.io/v1alpha1\",\"kind\":\"StoreShard\",\"metadata\":{\"name\":\"demo\"}}"));
  }

  private String statefulSet(String shard, String whenDeleted) throws Exception {
    return uid(
        controlPlane.create(
            SETS,
            """
            {"metadata":{"name":"demo","ownerReferences":[%s]},
             "spec":{"replicas":1,"serviceName":"demo","selector":{"matchLabels":{"app":"demo"}},
              "persistentVolumeClaimRetentionPolicy":{"whenDeleted":"%s","whenScaled":"Retain"},
              "template":{"metadata":{"labels":{"app":"demo"}},"spec":{"containers":[{"name":"c","image":"i"}]}},
              "volumeClaimTemplates":[{"metadata":{"name":"data"},
               "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}}
            """
                .formatted(owner("exaplane.io/v1alpha1", "StoreShard", shard), whenDeleted)));
  }

  private static String owner(String version, String kind, String uid) {
    return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"demo\",\"uid\":\"%s\"}"
        .formatted(version, kind, uid);
  }

  private static String uid(String object) throws Exception {
    return JSON.readTree(object).at("/metadata/uid").asText();
  }

  private List<String> owners() throws Exception {
    return claim().at("/metadata/ownerReferences").findValuesAsText("uid");
  }

  private JsonNode claim() throws Exception {
    return get(CLAIM);
  }

  private JsonNode get(String path) throws Exception {
    return JSON.readTree(Http.get(controlPlane.uri(path)).body());
  }

  private boolean isGone(String path) throws Exception {
    return Http.get(controlPlane.uri(path)).statusCode() == 404;
  }

  private void delete(String path) throws Exception {
    assertThat(http.send(request(path).DELETE().build(), BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
  }

  /** Adds the shard to the owners of the claim as it was seen; the set's controller writes, too. */
  private boolean own(String shard) throws Exception {
    ObjectNode metadata = JSON.createObjectNode();
    JsonNode seen = claim().get("metadata");
    metadata.set("resourceVersion", seen.get("resourceVersion"));
    ArrayNode owners = metadata.putArray("ownerReferences");
    seen.path("ownerReferences").forEach(owners::add);
    owners.add(JSON.readTree(owner("exaplane.io/v1alpha1", "StoreShard", shard)));
    return patch(CLAIM, JSON.createObjectNode().set("metadata", metadata).toString()) == 200;
  }

  private int patch(String path, String body) throws Exception {
    return http.send(
            request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(controlPlane.uri(path))
        .header("Authorization", "Bearer " + Http.TOKEN);
  }
}
