// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

/** Gangs of the newest minor, which have a status, need more or fewer pods, and preempt. */
class GangProcessTest extends Gangs {
  @Override
  LiveApi server() throws Exception {
    return LiveApi.startWithGroups(folder);
  }

  @Override
  String version() {
    return "v1beta1";
  }

  /**
   * The number of pods that a gang needs can change from 1.37 on, and its status says how it is.
   */
  @Test
  void aGangThatNeedsFewerFits() throws Exception {
    try (SchedulerProcess scheduler = scheduler()) {
      group("green", 3);
      for (int i = 0; i < 3; i++) {
        member("green-" + i, "green");
      }
      Await.until("the group is told so", () -> condition("green").equals("False Unschedulable"));
      groups()
          .withName("green")
          .patch("{\"spec\":{\"schedulingPolicy\":{\"gang\":{\"minCount\":2}}}}");
      Await.until("two of them go", () -> bound() == 2, () -> pods().toString());
      Await.until("the group is told so", () -> condition("green").equals("True Scheduled"));
      assertThat(scheduler.log()).doesNotContain("unexpected error", "was not written");
    }
  }

  @Test
  void aMoreImportantGangGetsTheRoomOfOthers() throws Exception {
    client.resource(PodMix.node(2, "2")).create();
    create(
        """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: high}
        value: 1000
        """);
    try (SchedulerProcess scheduler = scheduler()) {
      for (int i = 0; i < 2; i++) {
        client.resource(PodMix.plain("low-" + i, "1500m").build()).create();
      }
      Await.until("both nodes are full", () -> bound() == 2);
      create(
          """
          apiVersion: scheduling.k8s.io/v1beta1
          kind: PodGroup
          metadata: {name: gold, namespace: default}
          spec: {priorityClassName: high, schedulingPolicy: {gang: {minCount: 2}}}
          """);
      for (int i = 0; i < 2; i++) {
        create(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: gold-%d, namespace: default}
            spec:
              priorityClassName: high
              terminationGracePeriodSeconds: 0
              schedulingGroup: {podGroupName: gold}
              containers: [{name: c, image: i, resources: {requests: {cpu: 1500m}}}]
            """
                .formatted(i));
      }
      Await.until(
          "the gang is where the others were",
          () -> pods().stream().filter(pod -> isBound(pod, "gold-")).count() == 2,
          () -> pods().toString());
      assertThat(pods()).noneMatch(pod -> isBound(pod, "low-"));
      assertThat(scheduler.log()).doesNotContain("unexpected error", "was not written");
    }
  }

  private static boolean isBound(Pod pod, String prefix) {
    return pod.getMetadata().getName().startsWith(prefix)
        && pod.getMetadata().getDeletionTimestamp() == null
        && pod.getSpec().getNodeName() != null;
  }

  /** Status and reason of the group's condition; empty without one. */
  private String condition(String group) {
    GenericKubernetesResource known = groups().withName(group).get();
    Object status = known.get("status", "conditions", 0, "status");
    return status == null ? "" : status + " " + known.get("status", "conditions", 0, "reason");
  }
}
