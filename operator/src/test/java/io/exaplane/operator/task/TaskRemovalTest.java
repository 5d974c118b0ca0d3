// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.News;
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.observe.Look;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Event of a task that is deleted while it runs says what becomes of its work. */
class TaskRemovalTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          restart: {component: Store, store: events}             | ReplacePods | A restart of the store that has begun ends by itself.
          restart: {component: KubeAPIServer}                    | ReplacePods | pods that were replaced for it get their former template.
          rotate: {credential: Leaves}                           | Issue       | Certificates that it replaced remain replaced.
          rotate: {credential: CA, complete: Automatic}          | Prepare     | reaches the phase Prepared and stays there, with both keys trusted.
          rotate: {credential: CA, complete: Automatic}          | Complete    | ends by itself if the phase remains Completing. Only in the phase Prepared, create another task
          reshard: {toStore: leases, resources: [{group: apps, resource: deployments}]} | CopyKeys | Resources that moved remain in store leases, and all others where they were; see spec.storage.routes
          rotate: {credential: ServiceAccountKey}                | TrustBoth   | set spec.pki.rotation.serviceAccountKey of the ControlPlane to Complete.
          """)
  void theEventOfADeletedTask(String spec, String step, String words) {
    News told = TaskRemoval.cancelled(Tasks.running(spec, step));
    assertThat(told.reason()).isEqualTo(Reason.TaskCancelled);
    assertThat(told.warns()).isFalse();
    assertThat(told.message()).startsWith("The task is deleted").contains(words);
  }

  /** The finalizer stays, since the restart would continue after the pause without the task. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # more spec               | status of the control plane                                   | seconds | words
          ''                        | {}                                                            | 5       | ''
          ''                        | {}                                                            | 119     | ''
          ''                        | {}                                                            | 120     | See the conditions Progressing and Degraded of ControlPlane demo.
          ', pausedUntil: "true"'   | {}                                                            | 5       | ControlPlane demo is paused. Remove spec.pausedUntil
          ', pausedUntil: "true"'   | {}                                                            | 9000    | ControlPlane demo is paused. Remove spec.pausedUntil
          ''                        | {conditions: [{type: ConfigurationValid, status: "False"}]}   | 5       | Correct the spec
          """)
  void aDeletedRestartThatIsNotTakenBackSaysWhy(
      String spec, String status, int seconds, String words) {
    ControlPlaneTask task = Tasks.running("restart: {component: KubeAPIServer}", "ReplacePods");
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
    Optional<Progress> told =
        TaskRemoval.obstacle(
            task,
            Tasks.controlPlane(spec, status),
            Instant.parse("2026-11-27T12:00:00Z").plusSeconds(seconds));
    assertThat(told.isPresent()).isEqualTo(!words.isEmpty());
    assertThat(told.map(Progress::message).orElse("")).contains(words);
  }

  private static Optional<Duration> wait(ControlPlaneTask task, ControlPlane found, String token) {
    Deployment live =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: demo-apiserver, generation: 2}
            spec: {replicas: 4, template: {metadata: {annotations: {exaplane.io/restarted-at: '%s'}}}}
            status: {observedGeneration: 2, replicas: 5, updatedReplicas: 1, availableReplicas: 4}
            """
                .formatted(token),
            Deployment.class);
    return TaskRemoval.wait(
        task,
        Optional.of(found),
        () ->
            Optional.of(
                new Look(
                    found,
                    Optional.of(live),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())),
        seen -> TaskRemoval.isStopped(task, seen),
        Instant.parse("2026-11-27T15:00:00Z"));
  }

  @Test
  void theFinalizerStaysWhileTheTokenIsThereAndTheControlPlaneIs() {
    ControlPlaneTask task = Tasks.running("restart: {component: KubeAPIServer}", "ReplacePods");
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
    ControlPlane paused = Tasks.controlPlane(", pausedUntil: \"true\"", "{}");
    assertThat(wait(task, paused, "2026-11-27T12:00:00.500Z")).as("hours later").isPresent();
    assertThat(wait(task, paused, "before")).as("taken back").isEmpty();
    paused.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
    assertThat(wait(task, paused, "2026-11-27T12:00:00.500Z")).as("nobody is left").isEmpty();
  }

  /** Keys would be in two stores whose data is kept; data that goes needs no care. */
  @ParameterizedTest
  @CsvSource({"Retain, CopyKeys, true", "Retain, ReplacePods, false", "Delete, CopyKeys, false"})
  void aMoveEndsBeforeItsControlPlaneGoes(String deletion, String step, boolean waits) {
    ControlPlaneTask task =
        Tasks.running(
            "reshard: {toStore: leases, resources: [{group: apps, resource: deployments}]}", step);
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
    ControlPlane found = Tasks.controlPlane(", storage: {deletion: %s}".formatted(deletion), "{}");
    found.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
    Instant later = Instant.parse("2026-11-27T15:00:00Z");
    assertThat(
            TaskRemoval.wait(task, Optional.of(found), Optional::empty, _ -> false, later)
                .isPresent())
        .isEqualTo(waits);
    Optional<Progress> told = TaskRemoval.obstacle(task, found, later);
    assertThat(told.isPresent()).isEqualTo(waits);
    assertThat(told.map(Progress::message).orElse(""))
        .contains(waits ? "set spec.storage.deletion of ControlPlane demo to Delete" : "");
    assertThat(told.map(Progress::held).orElse(waits)).isEqualTo(waits);
  }

  /** The finalizer stays until everything is taken back, or a switch that has begun has ended. */
  @Test
  void aDeletedMoveWaitsUntilNothingIsLeftToBeDone() {
    ControlPlaneTask task =
        Tasks.running(
            "reshard: {toStore: leases, resources: [{group: apps, resource: deployments}]}",
            "CopyKeys");
    task.getMetadata().setDeletionTimestamp("2026-11-27T12:00:00Z");
    ControlPlane found = Tasks.controlPlane("{}");
    Look look =
        new Look(found, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    Instant later = Instant.parse("2026-11-27T15:00:00Z");
    assertThat(
            TaskRemoval.wait(task, Optional.of(found), () -> Optional.of(look), _ -> false, later))
        .contains(Duration.ofSeconds(10));
    assertThat(
            TaskRemoval.wait(task, Optional.of(found), () -> Optional.of(look), _ -> true, later))
        .isEmpty();
    assertThat(TaskRemoval.wait(task, Optional.empty(), Optional::empty, _ -> false, later))
        .as("nobody is there whose stores could have keys")
        .isEmpty();
    assertThat(TaskRemoval.obstacle(task, found, later).map(Progress::message))
        .hasValueSatisfying(words -> assertThat(words).contains("takes the move back later"));
  }
}
