// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.Tuning;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real controller of Deployments reads what the operator's RolloutStep writes. The controller
 * ends exactly the number of old pods that the operator allows, also of the last one.
 */
@ExtendWith(ControlPlanes.Given.class)
class HeldRolloutProcessTest {
  private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/held";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> FLAGS =
      List.of(
          "--use-service-account-credentials=true",
          "--controllers=deployment-controller,replicaset-controller");

  private final HttpClient http = Http.clientAt(InetAddress.getLoopbackAddress());
  @TempDir private Path folder;
  private ControlPlane controlPlane;
  private int historyLimit = 2;

  @Test
  void oldPodsEndOneByOneAsTheyAreCounted(ControlPlanes controlPlanes) throws Exception {
    Tuning tuning = Clusters.tuning(100);
    try (ControlPlane started =
        controlPlanes.start(folder, tuning, "--disable-admission-plugins=ServiceAccount")) {
      controlPlane = started;
      controlPlane.startControllerManager(tuning, FLAGS);
      apply("a", "");
      comesTo("a", 2, "b", 0);
      for (int allowed = 0; allowed <= 2; allowed++) {
        apply("b", held(allowed));
        comesTo("a", 2 - allowed, "b", Math.min(2, allowed + 1));
        stays("a", 2 - allowed, "b", Math.min(2, allowed + 1));
      }
      apply("b", "");
      Await.until("all are available", () -> count("availableReplicas") == 2, this::deployment);

      apply("c", held(0) + "paused: true,");
      stays("b", 2, "c", 0);
      apply("c", held(0));
      comesTo("b", 2, "c", 1);
      apply("b", held(2));
      comesTo("b", 2, "c", 0);

      apply("b", "");
      pauseAsAPerson();
      apply("b", "paused: false,");
      assertThat(deployment().at("/spec/paused").asBoolean()).isFalse();
      long generation = deployment().at("/metadata/generation").asLong();
      apply("b", "");
      assertThat(deployment().at("/metadata/generation").asLong()).isEqualTo(generation);
    }
  }

  private static String held(int allowed) {
    return "minReadySeconds: 1000000000, progressDeadlineSeconds: 2000000000, "
        + "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: %d}},".formatted(allowed);
  }

  private void apply(String template, String fields) throws Exception {
    String strategy =
        fields.contains("strategy")
            ? ""
            : "progressDeadlineSeconds: 600, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}},";
    HttpResponse<String> answer =
        Http.apply(
            controlPlane.uri(DEPLOYMENT + "?fieldManager=test&force=true"),
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: held}
            spec: {%s %s replicas: 2, revisionHistoryLimit: %d, selector: {matchLabels: {app: held}},
              template: {metadata: {labels: {app: held, template: %s}},
                         spec: {containers: [{name: c, image: i}]}}}
            """
                .formatted(fields, strategy, historyLimit, template));
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  /** Pods become ready as they come. */
  private void comesTo(String one, int ones, String other, int others) throws Exception {
    Await.until(
        "%s of %d and %s of %d".formatted(one, ones, other, others),
        () -> {
          makeReady();
          return pods(one) == ones
              && pods(other) == others
              && count("readyReplicas") == ones + others;
        },
        this::deployment);
  }

  /** Still so after the controller has seen another spec, with all pods ready. */
  private void stays(String one, int ones, String other, int others) throws Exception {
    for (int i = 0; i < 3; i++) {
      historyLimit++;
      HttpRequest patch =
          request(DEPLOYMENT)
              .header("Content-Type", "application/merge-patch+json")
              .method(
                  "PATCH",
                  BodyPublishers.ofString(
                      "{\"spec\":{\"revisionHistoryLimit\":%d}}".formatted(historyLimit)))
              .build();
      assertThat(http.send(patch, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      Await.until("the controller looked", this::isObserved);
      assertThat(pods(one)).as(one).isEqualTo(ones);
      assertThat(pods(other)).as(other).isEqualTo(others);
    }
  }

  private boolean isObserved() throws Exception {
    JsonNode now = deployment();
    return now.at("/status/observedGeneration").asLong() == now.at("/metadata/generation").asLong();
  }

  private void pauseAsAPerson() throws Exception {
    HttpRequest patch =
        request(DEPLOYMENT + "?fieldManager=kubectl-rollout")
            .header("Content-Type", "application/strategic-merge-patch+json")
            .method("PATCH", BodyPublishers.ofString("{\"spec\":{\"paused\":true}}"))
            .build();
    assertThat(http.send(patch, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  private JsonNode deployment() throws Exception {
    return get(DEPLOYMENT);
  }

  private int count(String field) throws Exception {
    return deployment().path("status").path(field).asInt();
  }

  private List<JsonNode> list(String template) throws Exception {
    return StreamSupport.stream(
            get(PODS + "?labelSelector=template%3D" + template).path("items").spliterator(), false)
        .filter(pod -> pod.at("/metadata/deletionTimestamp").isMissingNode())
        .toList();
  }

  private int pods(String template) throws Exception {
    return list(template).size();
  }

  private void makeReady() throws Exception {
    for (JsonNode pod : get(PODS + "?labelSelector=app%3Dheld").path("items")) {
      if (pod.at("/status/conditions").isMissingNode()) {
        String name = pod.at("/metadata/name").asText();
        HttpResponse<String> answer =
            Http.apply(
                controlPlane.uri(PODS + "/" + name + "/status?fieldManager=test&force=true"),
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},"status":{"phase":"Running",
                 "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"%s"}]}}
                """
                    .formatted(name, Instant.now().truncatedTo(ChronoUnit.SECONDS)));
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 404);
      }
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(controlPlane.uri(path))
        .header("Authorization", "Bearer " + Http.TOKEN);
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> answer = Http.get(controlPlane.uri(path));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }
}
