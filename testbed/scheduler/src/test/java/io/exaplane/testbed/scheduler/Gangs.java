// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Gangs, all or nothing, on a real API server, which the tests share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Gangs {
  @TempDir static Path folder;

  KubernetesClient client;
  private LiveApi api;
  private Recording recording;

  /** An API server that has groups. */
  abstract LiveApi server() throws Exception;

  /** The version of the API that has them. */
  abstract String version();

  @BeforeAll
  void begin() throws Exception {
    api = server();
    client = api.client();
  }

  @BeforeEach
  void oneNodeWithRoomForTwo() {
    client.resource(PodMix.node(1, "2")).create();
    recording = new Recording(client);
  }

  @AfterEach
  void leaveNothing() throws Exception {
    recording.close();
    client.pods().inNamespace("default").withGracePeriod(0).delete();
    groups().delete();
    client.nodes().delete();
    Await.until("no pod is left", () -> pods().isEmpty(), this::pods);
  }

  @AfterAll
  void end() {
    client.close();
    api.close();
  }

  NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      groups() {
    return client
        .genericKubernetesResources("scheduling.k8s.io/" + version(), "PodGroup")
        .inNamespace("default");
  }

  SchedulerProcess scheduler(String... more) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("gangs.yaml"),
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles: [{plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}]
            """);
    String[] options = java.util.Arrays.copyOf(more, more.length + 1);
    options[more.length] = "--config=" + config;
    return SchedulerProcess.start(folder, "scheduler", api, options);
  }

  void group(String name, int minCount) {
    create(
        """
        apiVersion: scheduling.k8s.io/%s
        kind: PodGroup
        metadata: {name: %s, namespace: default}
        spec: {schedulingPolicy: {gang: {minCount: %d}}}
        """
            .formatted(version(), name, minCount));
  }

  void member(String name, String group) {
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          terminationGracePeriodSeconds: 0
          schedulingGroup: {podGroupName: %s}
          containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
        """
            .formatted(name, group));
  }

  void create(String yaml) {
    client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
  }

  List<Pod> pods() {
    return client.pods().inNamespace("default").list().getItems();
  }

  long bound() {
    return pods().stream().filter(pod -> pod.getSpec().getNodeName() != null).count();
  }

  long refused() {
    return pods().stream()
        .flatMap(pod -> pod.getStatus().getConditions().stream())
        .filter(condition -> "Unschedulable".equals(condition.getReason()))
        .count();
  }

  @Test
  void aGangThatDoesNotFitWaitsAndTakesNoRoom() throws Exception {
    try (SchedulerProcess scheduler = scheduler()) {
      group("red", 3);
      for (int i = 0; i < 3; i++) {
        member("red-" + i, "red");
      }
      Await.until("all of them are told so", () -> refused() == 3, () -> pods().toString());
      assertThat(bound()).isZero();
      client.resource(PodMix.plain("alone", "2").build()).create();
      Await.until("another pod gets the room", () -> bound() == 1);
      client.resource(PodMix.node(2, "4")).create();
      Await.until("all of them go to the node that came", () -> bound() == 4, this::bound);
      assertThat(Auditor.of(recording.soFar()).violations()).isEmpty();
      assertThat(scheduler.log()).doesNotContain("unexpected error");
    }
  }

  @Test
  void aGangWaitsForItsLastMember() throws Exception {
    try (ProcessTree tree = new ProcessTree(folder, api, 1);
        SchedulerProcess scheduler = scheduler("--tree-listen=" + tree.rootAddress(0))) {
      tree.startShards(1);
      ProcessTree.awaitShards(scheduler, 1);
      group("blue", 2);
      member("blue-0", "blue");
      client.resource(PodMix.plain("alone", "500m").build()).create();
      Await.until("who is no member goes", () -> bound() == 1);
      client.resource(PodMix.node(2, "4")).create();
      member("blue-1", "blue");
      Await.until("both of them go", () -> bound() == 3, this::bound);
      assertThat(Auditor.of(recording.soFar()).violations()).isEmpty();
    }
  }
}
