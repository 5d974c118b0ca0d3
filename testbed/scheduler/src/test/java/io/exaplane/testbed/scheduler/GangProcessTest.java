// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gangs of 1.36, all or nothing, on a real API server of that minor. */
@Tag("long")
class GangProcessTest {
  @TempDir private Path folder;

  private LiveApi api;
  private KubernetesClient client;
  private Recording recording;

  @BeforeEach
  void oneNodeWithRoomForTwo() throws Exception {
    api = LiveApi.startWithGroups(folder);
    client = api.client();
    client.resource(PodMix.node(1, "2")).create();
    recording = new Recording(client);
  }

  @AfterEach
  void stop() {
    recording.close();
    client.close();
    api.close();
  }

  private SchedulerProcess scheduler(String... more) throws Exception {
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

  private void group(String name, int minCount) {
    create(
        """
        apiVersion: scheduling.k8s.io/v1alpha2
        kind: PodGroup
        metadata: {name: %s, namespace: default}
        spec: {schedulingPolicy: {gang: {minCount: %d}}}
        """
            .formatted(name, minCount));
  }

  private void member(String name, String group) {
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

  private void create(String yaml) {
    client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
  }

  private List<Pod> pods() {
    return client.pods().inNamespace("default").list().getItems();
  }

  private long bound() {
    return pods().stream().filter(pod -> pod.getSpec().getNodeName() != null).count();
  }

  private long refused() {
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
