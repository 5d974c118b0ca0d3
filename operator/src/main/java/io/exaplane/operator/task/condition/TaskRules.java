// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.api.v1alpha1.SchedulingSpec;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.api.v1alpha1.TaskRestartSpec;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.RolloutTold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether a task can begin, and if not, whether it ever can. Pure. */
public final class TaskRules {
  private static final int MOST_ADMINISTRATORS = 1_000_000;

  private TaskRules() {}

  /** Why a task can't be carried out: field, value, rule, next action. */
  public static Optional<String> rejection(ControlPlaneTask task, Look look) {
    TaskRestartSpec restart = task.getSpec().restart();
    if (task.getSpec().reshard() != null) {
      return ReshardRules.rejection(task, look);
    }
    if (restart == null) {
      return rotation(task.getSpec().rotate().credential(), look.controlPlane());
    }
    return switch (restart.component()) {
      case Store -> store(restart.store(), look);
      case KubeScheduler -> scheduler(look);
      case KubeAPIServer, KubeControllerManager -> Optional.empty();
    };
  }

  private static Optional<String> store(String store, Look look) {
    List<String> stores =
        Optional.ofNullable(look.controlPlane().getStatus())
            .map(ControlPlaneStatus::stores)
            .map(ControlPlaneStatus.Stores::items)
            .orElse(List.of())
            .stream()
            .map(ControlPlaneStatus.Store::name)
            .toList();
    if (!stores.contains(store) || look.shard().isEmpty()) {
      return Optional.of(
          "spec.restart.store %s: is no store of ControlPlane %s, whose stores are %s; create a task with the name of one of them."
              .formatted(
                  store, look.controlPlane().getMetadata().getName(), String.join(", ", stores)));
    }
    return StoreNames.dataGoesWithPod(look.shard().get(), look.set())
        ? Optional.of(
            "spec.restart.store %s: the store is Critical and has an EmptyDir, so its data would be lost with the pod; create a ControlPlane whose store has a PersistentVolume instead."
                .formatted(store))
        : Optional.empty();
  }

  private static Optional<String> scheduler(Look look) {
    return Optional.ofNullable(SchedulingSpec.pool(look.controlPlane().getSpec().scheduling()))
        .filter(_ -> look.deployment().isEmpty())
        .map(
            pool ->
                "spec.restart.component %s: SchedulerPool %s places the pods of this ControlPlane, which has no kube-scheduler; set spec.restartedAt of the SchedulerPool instead."
                    .formatted(TaskComponent.KubeScheduler, pool));
  }

  private static Optional<String> rotation(TaskCredential credential, ControlPlane controlPlane) {
    String name = controlPlane.getMetadata().getName();
    if (credential == TaskCredential.EncryptionKey && controlPlane.getSpec().encryption() == null) {
      return Optional.of(
          "spec.rotate.credential %s: ControlPlane %s encrypts nothing, so there is no key; add spec.encryption to it, and create another task for a later rotation."
              .formatted(credential, name));
    }
    if (credential.isLongLived()) {
      RotationWish wish = RotateProgress.wish(controlPlane, credential);
      return Optional.ofNullable(wish)
          .map(
              set ->
                  "spec.rotate.credential %1$s: spec.pki.rotation.%2$s of ControlPlane %3$s is %4$s, and the field leads that rotation; remove the field in the phase Completed, and create another task."
                      .formatted(credential, RotateProgress.field(credential), name, set));
    }
    if (credential == TaskCredential.AdminKubeconfig
        && PkiSpec.adminKubeconfigRevision(controlPlane.getSpec().pki()) >= MOST_ADMINISTRATORS) {
      return Optional.of(
          "spec.rotate.credential AdminKubeconfig: spec.pki.adminKubeconfigRevision of ControlPlane %s has its highest value %d; create a task that rotates the CA instead."
              .formatted(name, MOST_ADMINISTRATORS));
    }
    return Optional.empty();
  }

  /** Why a task has to wait, although it could be carried out. */
  public static Optional<String> holdUp(
      ControlPlaneTask task, ControlPlane controlPlane, Instant now) {
    ControlPlaneStatus status = controlPlane.getStatus();
    boolean started =
        status != null
            && status.version() != null
            && status.version().current() != null
            && !status.version().current().isEmpty();
    return inactive(controlPlane, now)
        .or(
            () ->
                started
                    ? obstacle(task, controlPlane, now).or(() -> completing(task, controlPlane))
                    : Optional.of(
                        "ControlPlane %s has not started all components yet. No action is needed."
                            .formatted(controlPlane.getMetadata().getName())));
  }

  /** A rotation that was left in its last phase ends by itself; another one would begin anew. */
  private static Optional<String> completing(ControlPlaneTask task, ControlPlane controlPlane) {
    return Optional.ofNullable(task.getSpec().rotate())
        .filter(rotate -> rotate.credential().isLongLived())
        .filter(
            rotate ->
                RotateProgress.told(controlPlane, rotate.credential())
                    .filter(key -> key.phase() == RotationPhase.Completing)
                    .isPresent())
        .filter(rotate -> RotateProgress.wish(controlPlane, rotate.credential()) == null)
        .map(
            rotate ->
                "A rotation of the %s of ControlPlane %s takes its old key out of use, and ends by itself. No action is needed."
                    .formatted(rotate.credential(), controlPlane.getMetadata().getName()));
  }

  /** Why a task that runs does not continue before somebody does something. */
  public static Optional<String> obstacle(
      ControlPlaneTask task, ControlPlane controlPlane, Instant now) {
    return inactive(controlPlane, now)
        .or(() -> task.getSpec().disrupts() ? stopped(controlPlane) : Optional.empty());
  }

  /** Why the passes of a control plane carry nothing out. */
  public static Optional<String> inactive(ControlPlane controlPlane, Instant now) {
    String name = controlPlane.getMetadata().getName();
    if (PausedUntil.parse(controlPlane.getSpec().pausedUntil(), now).isPresent()) {
      return Optional.of(
          "ControlPlane %s is paused. Remove spec.pausedUntil, or wait.".formatted(name));
    }
    if (RestartProgress.isFalse(controlPlane, ConditionType.ConfigurationValid)) {
      return Optional.of(
          "The operator refuses the spec of ControlPlane %s. Correct the spec; see its condition ConfigurationValid."
              .formatted(name));
    }
    return Optional.empty();
  }

  private static Optional<String> stopped(ControlPlane controlPlane) {
    return RolloutTold.of(controlPlane).stream()
        .filter(RolloutTold::isHeld)
        .findFirst()
        .map(
            told ->
                "The rollout of the component %s of ControlPlane %s has stopped. Correct the spec; or repair the cause, and open the gate ProgressDeadline with the annotation exaplane.io/rollout-override."
                    .formatted(told.component(), controlPlane.getMetadata().getName()));
  }
}
