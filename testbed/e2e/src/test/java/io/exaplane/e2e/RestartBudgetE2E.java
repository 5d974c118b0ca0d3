// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.RestartStatus;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A component that is killed six times in ten minutes is held and says so, until a person acts. */
@Order(62)
@Tag("long")
class RestartBudgetE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final String COMPONENT = "controller-manager";
  private static final int KILLS = 6;

  private static Scratch scratch;

  @BeforeAll
  static void up() {
    scratch =
        new Scratch(
            "restarts",
            Bed.VERSION,
            """
              apiServer: {replicas: 1, resources: {requests: {cpu: 25m}}}
              controllerManager: {replicas: 1, resources: {requests: {memory: 128Mi}}}
              scheduler: {replicas: 1, resources: {requests: {memory: 128Mi}}}
            """);
  }

  @AfterAll
  static void gone() {
    scratch.close();
  }

  @Test
  void sixKillsUseTheBudgetUpAndAnAnnotationGivesItBack() {
    scratch.awaitSettled(PATIENCE);
    assertThat(budget().status()).isEqualTo(Condition.TRUE);
    anotherPodThanThatOfTheStart();
    String uid = pod().getMetadata().getUid();
    for (int kills = 1; kills <= KILLS; kills++) {
      int before = kills - 1;
      Bed.await(
          "the container runs after %d kills".formatted(before),
          PATIENCE,
          () ->
              container().getRestartCount() == before
                  && container().getState().getRunning() != null,
          () -> Bed.describe(scratch.name, scratch.namespace));
      kill();
    }
    Bed.await(
        "the condition says that the component is held",
        PATIENCE,
        () -> budget().status().equals(Condition.FALSE),
        () -> Bed.describe(scratch.name, scratch.namespace));
    Condition held = budget();
    assertThat(held.reason()).isEqualTo("RestartsHeld");
    assertThat(held.message())
        .contains(
            "kube-controller-manager restarted ",
            " times within 10m, and spec.restart.budget allows 5",
            "exaplane.io/release-restarts");
    assertThat(pod().getMetadata().getUid()).as("the operator replaced nothing").isEqualTo(uid);
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "annotate",
        "--overwrite",
        "controlplane",
        scratch.name,
        "exaplane.io/release-restarts=1");
    Bed.await(
        "it goes on",
        PATIENCE,
        () -> budget().status().equals(Condition.TRUE),
        () -> Bed.describe(scratch.name, scratch.namespace));
    Bed.awaitHolds(PATIENCE, () -> assertThat(restarts().released()).isEqualTo("1"));
    scratch.awaitSettled(PATIENCE);
  }

  /** One that waited for the API may have ended for the lack of it, and would be replaced. */
  private static void anotherPodThanThatOfTheStart() {
    String first = pod().getMetadata().getName();
    Bed.kubectl("--namespace=" + scratch.namespace, "delete", "pod", first);
    Bed.await(
        "another pod",
        PATIENCE,
        () -> {
          List<Pod> pods = Bed.pods(scratch.name, scratch.namespace, COMPONENT);
          return pods.size() == 1
              && !pods.getFirst().getMetadata().getName().equals(first)
              && !pods.getFirst().getStatus().getContainerStatuses().isEmpty();
        });
    scratch.awaitSettled(PATIENCE);
  }

  private static Condition budget() {
    return Bed.condition(
            Bed.controlPlane(scratch.name, scratch.namespace), ConditionType.RestartBudgetAvailable)
        .orElseThrow();
  }

  private static RestartStatus restarts() {
    return Bed.controlPlane(scratch.name, scratch.namespace).getStatus().restart();
  }

  private static Pod pod() {
    List<Pod> pods = Bed.pods(scratch.name, scratch.namespace, COMPONENT);
    assertThat(pods).hasSize(1);
    return pods.getFirst();
  }

  private static ContainerStatus container() {
    return pod().getStatus().getContainerStatuses().getFirst();
  }

  /**
   * The process runs on this machine, as those of other control planes may. The JDK shows the
   * program and its arguments, and the program is that of every component.
   */
  private static void kill() {
    String uid = pod().getMetadata().getUid();
    Bed.await(
        "its process is killed",
        Duration.ofMinutes(4),
        () ->
            ProcessHandle.allProcesses()
                    .filter(
                        p -> p.info().commandLine().orElse("").contains("--allocate-node-cidrs="))
                    .filter(process -> PowerCut.isIn(process, uid))
                    .filter(ProcessHandle::destroyForcibly)
                    .count()
                > 0);
  }
}
