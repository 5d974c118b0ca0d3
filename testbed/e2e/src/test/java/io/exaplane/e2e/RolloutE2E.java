// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.TaskState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Rollouts of kube-apiserver, beside a client that reads and writes every 100 ms. */
@Order(63)
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RolloutE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final String COMPONENT = "apiserver";
  private static Scratch scratch;

  @BeforeAll
  static void up() {
    scratch =
        new Scratch(
            "rollouts",
            Bed.VERSION,
            """
              apiServer: {replicas: 2, tuning: {shutdownDelay: 5s}, resources: {requests: {cpu: 25m}}}
              controllerManager: {replicas: 1, resources: {requests: {memory: 128Mi}}}
              scheduler: {replicas: 1, resources: {requests: {memory: 128Mi}}}
              rollout: {minReadySeconds: 5, progressDeadline: 60s}
            """);
    scratch.awaitSettled(PATIENCE);
  }

  @AfterAll
  static void gone() {
    scratch.close();
  }

  @Test
  @Order(1)
  void aGoodChangeComesOneByOne() {
    try (BusyClient client = new BusyClient(scratch.name, scratch.namespace)) {
      Set<String> before = pods();
      List<Integer> fresh = new ArrayList<>();
      set("v", "1");
      Bed.await(
          "all pods are others",
          PATIENCE,
          () -> {
            Set<String> now = pods();
            fresh.add((int) now.stream().filter(pod -> !before.contains(pod)).count());
            return now.stream().noneMatch(before::contains) && rollout() == null;
          },
          RolloutE2E::describe);
      assertThat(fresh).contains(1);
      assertThat(client.report("a good change").failures()).isEmpty();
    }
    awaitEvents("RolloutStarted", "RolloutAdvanced", "RolloutCompleted");
    scratch.awaitSettled(PATIENCE);
  }

  @Test
  @Order(2)
  void aFlagThatEndsTheProcessStopsAtTheFirstPod() {
    stopsAndHolds("audit-policy-file", "/does-not-exist", "audit");
  }

  @Test
  @Order(3)
  void aFlagThatKeepsTheProcessFromBeingReadyStopsAtTheFirstPod() {
    stopsAndHolds("etcd-readycheck-timeout", "1ns", "kube-apiserver");
  }

  private static void stopsAndHolds(String flag, String value, String words) {
    try (BusyClient client = new BusyClient(scratch.name, scratch.namespace)) {
      Set<String> before = pods();
      set(flag, value);
      Bed.await(
          "the rollout stopped",
          PATIENCE,
          () -> progressing().reason().equals("ProgressDeadlineExceeded"),
          RolloutE2E::describe);
      Bed.awaitHolds(
          PATIENCE,
          () -> {
            assertThat(progressing().status()).isEqualTo(Condition.FALSE);
            assertThat(progressing().message()).contains(words, "Correct the spec");
            assertThat(condition(ConditionType.Available).status()).isEqualTo(Condition.TRUE);
            assertThat(rollout().blockedBy())
                .extracting(RolloutStatus.Blocked::gate)
                .contains(RolloutGate.ProgressDeadline, RolloutGate.MinReady);
          });
      assertThat(pods()).as("nothing was taken away").containsAll(before).hasSize(3);
      awaitEvents("ProgressDeadlineExceeded");
      set("v", "1");
      Bed.await(
          "the fix takes the new pod away",
          PATIENCE,
          () -> rollout() == null,
          RolloutE2E::describe);
      scratch.awaitSettled(PATIENCE);
      assertThat(client.report(flag).failures()).isEmpty();
    }
  }

  @Test
  @Order(4)
  void aBadFlagIsRolledBackToTheLastSettledTemplateAndNotTriedAgain() {
    Demo.patch(
        scratch.name, scratch.namespace, "{\"spec\":{\"rollout\":{\"onStall\":\"Rollback\"}}}");
    try (BusyClient client = new BusyClient(scratch.name, scratch.namespace)) {
      Set<String> before = pods();
      set("audit-policy-file", "/does-not-exist");
      Bed.await(
          "the pods are those of before",
          PATIENCE,
          () -> rollout() != null && rollout().rolledBackTo() != null && pods().equals(before),
          RolloutE2E::describe);
      Bed.await(
          "nothing more is done",
          PATIENCE,
          () -> rollout().step().equals("rolled back"),
          RolloutE2E::describe);
      Bed.awaitHolds(
          PATIENCE,
          () -> {
            assertThat(progressing().reason()).isEqualTo("ProgressDeadlineExceeded");
            assertThat(progressing().message()).contains("rolled back", "audit");
            assertThat(condition(ConditionType.Available).status()).isEqualTo(Condition.TRUE);
          });
      awaitEvents("RolledBack");
      set("v", "1");
      Bed.await("the fix is taken", PATIENCE, () -> rollout() == null, RolloutE2E::describe);
      scratch.awaitSettled(PATIENCE);
      assertThat(client.report("a rollback").failures()).isEmpty();
    }
  }

  @Test
  @Order(5)
  void serversAreAddedOneByOneAndAnOverrideGoesWithTheRollout() {
    Demo.patch(scratch.name, scratch.namespace, "{\"spec\":{\"apiServer\":{\"replicas\":3}}}");
    Bed.await("the rollout began", PATIENCE, () -> rollout() != null, RolloutE2E::describe);
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "annotate",
        "--overwrite",
        "controlplane",
        scratch.name,
        "exaplane.io/rollout-override=Relists,NoGate");
    Bed.await(
        "three serve",
        PATIENCE,
        () -> pods().size() == 3 && rollout() == null,
        RolloutE2E::describe);
    Bed.await(
        "the override has gone",
        PATIENCE,
        () ->
            !Bed.controlPlane(scratch.name, scratch.namespace)
                .getMetadata()
                .getAnnotations()
                .containsKey("exaplane.io/rollout-override"));
    awaitEvents("RolloutOverridden", "UnknownGate");
    scratch.awaitSettled(PATIENCE);
  }

  /** Line "Tasks": all pods once, one by one; one that is rejected; one that is taken back. */
  @Test
  @Order(6)
  void aTaskRestartsTheServersOneByOneAndADeletedOneIsTakenBack() {
    try (BusyClient client = new BusyClient(scratch.name, scratch.namespace)) {
      Set<String> before = pods();
      task("restart-1", "restart: {component: KubeAPIServer}");
      task("restart-2", "restart: {component: Store, store: none}");
      await("restart-1", TaskState.Succeeded);
      assertThat(pods()).doesNotContainAnyElementsOf(before).hasSize(3);
      await("restart-2", TaskState.Rejected);
      task("restart-3", "restart: {component: KubeAPIServer}");
      Set<String> settled = pods();
      Bed.await(
          "a pod is replaced",
          PATIENCE,
          () -> pods().stream().anyMatch(pod -> !settled.contains(pod)),
          RolloutE2E::describe);
      Bed.kubectl("--namespace=" + scratch.namespace, "delete", "controlplanetask", "restart-3");
      Bed.await("it is settled", PATIENCE, () -> rollout() == null, RolloutE2E::describe);
      scratch.awaitSettled(PATIENCE);
      assertThat(pods()).as("pods that it did not reach").containsAnyElementsOf(settled);
      assertThat(client.report("restarts by tasks").failures()).isEmpty();
    }
    awaitEvents("TaskRejected", "TaskCancelled");
  }

  private static void task(String name, String spec) {
    Bed.CLIENT
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: exaplane.io/v1alpha1
                kind: ControlPlaneTask
                metadata: {name: %s, namespace: %s}
                spec: {controlPlaneRef: {name: %s}, %s}
                """
                    .formatted(name, scratch.namespace, scratch.name, spec),
                ControlPlaneTask.class))
        .create();
  }

  private static void await(String task, TaskState state) {
    Bed.await(
        task + " is " + state,
        PATIENCE,
        () -> {
          ControlPlaneTask now =
              Bed.CLIENT
                  .resources(ControlPlaneTask.class)
                  .inNamespace(scratch.namespace)
                  .withName(task)
                  .get();
          return now.getStatus() != null && now.getStatus().state() == state;
        },
        RolloutE2E::describe);
  }

  private static void set(String flag, String value) {
    Demo.patch(
        scratch.name,
        scratch.namespace,
        "{\"spec\":{\"apiServer\":{\"extraArgs\":[{\"name\":\"%s\",\"value\":\"%s\"}]}}}"
            .formatted(flag, value));
  }

  private static Set<String> pods() {
    return Bed.pods(scratch.name, scratch.namespace, COMPONENT).stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map((Pod pod) -> pod.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  private static RolloutStatus rollout() {
    return Bed.controlPlane(scratch.name, scratch.namespace).getStatus().rollout();
  }

  private static Condition condition(ConditionType type) {
    return Bed.condition(Bed.controlPlane(scratch.name, scratch.namespace), type).orElseThrow();
  }

  private static Condition progressing() {
    return condition(ConditionType.Progressing);
  }

  /** Events come after what they tell of. */
  private static void awaitEvents(String... reasons) {
    Bed.awaitHolds(PATIENCE, () -> assertThat(events()).contains(reasons));
  }

  private static Set<String> events() {
    return Bed.CLIENT.v1().events().inNamespace(scratch.namespace).list().getItems().stream()
        .map(event -> event.getReason())
        .collect(Collectors.toSet());
  }

  private static String describe() {
    return Bed.describe(scratch.name, scratch.namespace) + rollout();
  }
}
