// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole scheduler as one process, on a real kube-apiserver. */
class RootProcessTest {
  private KubernetesClient client;
  private Recording recording;
  private LiveScheduler scheduler;

  @BeforeEach
  void start() throws Exception {
    LiveApi api = SharedApi.lend();
    client = api.client();
    recording = new Recording(client);
    scheduler = LiveScheduler.start(api.schedulerConfig());
  }

  @AfterEach
  void stop() throws Exception {
    scheduler.stop();
    recording.close();
    client.close();
  }

  @Test
  void bindsMixedPodsAsTheRulesSay() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 60; i++) {
      client.resource(PodMix.node(i, "8")).create();
    }
    for (int i = 0; i < 500; i++) {
      client.resource(PodMix.any(i, random)).create();
    }
    Await.until("seed %d: all pods are on nodes".formatted(seed), this::allAreBound, this::waiting);
    Auditor auditor = Auditor.of(recording.soFar());
    assertThat(auditor.violations()).as("seed %d", seed).isEmpty();
    assertThat(auditor.bindings()).isEqualTo(500);
    Await.until("events", () -> notes("Scheduled").size() == 500);
    assertThat(notes("Scheduled"))
        .contains(
            "Successfully assigned default/pod-00007 to "
                + pod("pod-00007").getSpec().getNodeName());
  }

  @Test
  void saysWhyAPodWaitsAndBindsItOnceItCan() throws Exception {
    client.resource(PodMix.node(0, "8")).create();
    client.resource(PodMix.node(1, "1")).create();
    client.resource(PodMix.plain("large", "4").build()).create();
    String why =
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)."
            + " preemption: 0/2 nodes are available:"
            + " 2 Preemption is not helpful for scheduling.";
    Await.until(
        "the reason",
        () -> condition("large") != null && condition("large").getMessage().equals(why),
        () -> condition("large"));
    assertThat(condition("large").getStatus()).isEqualTo("False");
    assertThat(condition("large").getReason()).isEqualTo("Unschedulable");
    Await.until("an event", () -> notes("FailedScheduling").contains(why));
    client.resource(PodMix.node(2, "8")).create();
    Await.until("it is on the node that came", () -> nodeOf("large").equals("node-0002"));
    Await.until("scheduled", () -> condition("large").getStatus().equals("True"));
  }

  @Test
  void lessImportantPodsGo() throws Exception {
    client
        .resource(
            new PriorityClassBuilder()
                .withNewMetadata()
                .withName("high")
                .endMetadata()
                .withValue(1000)
                .build())
        .create();
    client.resource(PodMix.node(1, "2")).create();
    for (int i = 0; i < 4; i++) {
      client.resource(PodMix.plain("low-" + i, "500m").build()).create();
    }
    Await.until("all are there", this::allAreBound);
    Pod high = PodMix.plain("high", "1").editSpec().withPriorityClassName("high").endSpec().build();
    client.resource(high).create();
    Await.until("the important one is there", () -> nodeOf("high").equals("node-0001"));
    assertThat(pods()).hasSize(3);
    Await.until("both are told", () -> notes("Preempted").size() >= 2, this::pods);
    assertThat(notes("Preempted")).hasSize(2).allMatch(note -> note.endsWith("on node node-0001"));
    assertThat(Auditor.of(recording.soFar()).violations()).isEmpty();
  }

  private List<Pod> pods() {
    return client.pods().inNamespace("default").list().getItems();
  }

  private boolean allAreBound() {
    return pods().stream().allMatch(pod -> pod.getSpec().getNodeName() != null);
  }

  private List<String> waiting() {
    return pods().stream()
        .filter(pod -> pod.getSpec().getNodeName() == null)
        .map(pod -> pod.getMetadata().getName() + ": " + pod.getStatus().getConditions())
        .toList();
  }

  private Pod pod(String name) {
    return client.pods().inNamespace("default").withName(name).get();
  }

  private String nodeOf(String name) {
    return String.valueOf(pod(name).getSpec().getNodeName());
  }

  private PodCondition condition(String name) {
    return pod(name).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("PodScheduled"))
        .findFirst()
        .orElse(null);
  }

  private List<String> notes(String reason) {
    return client.events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .map(Event::getNote)
        .toList();
  }
}
