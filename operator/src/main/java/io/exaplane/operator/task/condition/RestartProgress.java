// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

import io.exaplane.api.duration.Durations;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneRolloutSpec;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.RolloutTold;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How far a restart is: pods that were replaced, of all. Pure. */
public final class RestartProgress {
  private static final Duration DEADLINE = Duration.ofMinutes(30);
  private static final int ALL = 100;
  private static final int HALF = 50;

  private RestartProgress() {}

  /** Of a task that restarts a component or a store. */
  public static Progress of(ControlPlaneTask task, Look look, Instant now) {
    return task.getSpec().restart().store() == null
        ? component(task, look)
        : store(task, look, now);
  }

  private static Progress component(ControlPlaneTask task, Look look) {
    String component = Look.component(task);
    Instant began = Instant.parse(task.getStatus().startedAt());
    Optional<RolloutTold> rollout = RolloutTold.of(look.controlPlane(), component, began);
    Optional<Deployment> deployment = look.deployment();
    boolean taken =
        deployment.filter(d -> Rollout.restartedAt(d).equals(TaskOrders.token(task))).isPresent();
    int percent = taken ? percent(deployment.get()) : 0;
    if (rollout.filter(told -> told.stoppedSince(began)).isPresent()) {
      return Progress.failed(
          TaskStep.ReplacePods, percent, stopped(look.controlPlane(), rollout.get()));
    }
    if (!taken) {
      return Progress.running(TaskStep.WaitForTurn, 0, waits(look.controlPlane()));
    }
    Deployment live = deployment.get();
    String done =
        "%d of %d pods of %s replaced"
            .formatted(
                Math.min(Rollout.updated(live), live.getSpec().getReplicas()),
                live.getSpec().getReplicas(),
                live.getMetadata().getName());
    if (Rollout.isComplete(live) && rollout.isEmpty()) {
      return Progress.succeeded(TaskStep.ReplacePods, done + ", and settled.");
    }
    return Progress.running(
        TaskStep.ReplacePods, Math.min(percent, ALL - 1), done + "." + gates(rollout));
  }

  private static int percent(Deployment deployment) {
    int replicas = Math.max(1, deployment.getSpec().getReplicas());
    return ALL * Math.min(Rollout.updated(deployment), replicas) / replicas;
  }

  /** The gates that hold a rollout, as a sentence with a space before; "" for none. */
  public static String gates(Optional<RolloutTold> rollout) {
    List<String> gates = rollout.map(RolloutTold::gates).orElse(List.of());
    return gates.isEmpty()
        ? ""
        : " Held by %s; see status.rollout of the ControlPlane."
            .formatted(String.join(", ", gates));
  }

  /** What a component waits for before its pods are replaced. */
  public static String waits(ControlPlane controlPlane) {
    boolean others =
        controlPlane.getStatus() != null
            && controlPlane.getStatus().turn() != null
            && controlPlane.getStatus().turn().state() == RolloutTurn.State.Waiting;
    return others
        ? "Other control planes replace their pods first; see status.turn of the ControlPlane."
        : "Nothing is replaced before stores serve and other components have settled.";
  }

  /** How a rollout stopped, and the next action. */
  public static String stopped(ControlPlane controlPlane, RolloutTold rollout) {
    String words =
        rollout.lastWords() == null ? "" : " Last message: %s".formatted(rollout.lastWords());
    String next =
        rollout.rolledBackTo() == null
            ? "Repair the cause, and open the gate ProgressDeadline with the annotation exaplane.io/rollout-override of ControlPlane %s; the rollout then continues without a task."
                .formatted(controlPlane.getMetadata().getName())
            : "The component has its former template again. Repair the cause, and create another task.";
    return "The rollout stopped, since a new pod did not settle in time.%s %s"
        .formatted(words, next);
  }

  private static Progress store(ControlPlaneTask task, Look look, Instant now) {
    String token = TaskOrders.token(task);
    Optional<StoreShard> shard = look.shard();
    if (shard.isEmpty()) {
      return Progress.failed(
          TaskStep.ReplacePods,
          0,
          "The StoreShard of store %s is gone. Delete this task."
              .formatted(task.getSpec().restart().store()));
    }
    String name = shard.get().getMetadata().getName();
    if (!token.equals(shard.get().getSpec().restartedAt())) {
      return Progress.running(TaskStep.WaitForTurn, 0, waits(look.controlPlane()));
    }
    Optional<Condition> ready = ready(shard.get());
    boolean done =
        shard.get().getStatus() != null
            && token.equals(shard.get().getStatus().restartedAt())
            && ready.filter(condition -> condition.status().equals(Condition.TRUE)).isPresent();
    if (done) {
      return Progress.succeeded(
          TaskStep.ReplacePods,
          "The pod of StoreShard %s is replaced, and serves.".formatted(name));
    }
    boolean late =
        task.getStatus().step() == TaskStep.ReplacePods
            && now.isAfter(
                Instant.parse(task.getStatus().stepStartedAt())
                    .plus(deadline(look.controlPlane().getSpec().rollout())));
    if (late) {
      return Progress.failed(
          TaskStep.ReplacePods,
          HALF,
          "The new pod of StoreShard %1$s does not serve within spec.rollout.progressDeadline: %2$s See 'kubectl describe shard %1$s'."
              .formatted(name, ready.map(Condition::message).orElse("nothing is known.")));
    }
    return Progress.running(
        TaskStep.ReplacePods, HALF, "The pod of StoreShard %s is being replaced.".formatted(name));
  }

  /** The condition Ready of a store. */
  public static Optional<Condition> ready(StoreShard shard) {
    return Optional.ofNullable(shard.getStatus()).map(status -> status.conditions()).stream()
        .flatMap(List::stream)
        .filter(condition -> condition.type().equals(StoreCondition.Ready.name()))
        .findFirst();
  }

  private static Duration deadline(ControlPlaneRolloutSpec rollout) {
    return rollout == null ? DEADLINE : Durations.parse(rollout.progressDeadline(), DEADLINE);
  }

  /** Whether a condition of a control plane is False. */
  public static boolean isFalse(ControlPlane controlPlane, ConditionType type) {
    return controlPlane.getStatus() != null
        && controlPlane.getStatus().conditions() != null
        && controlPlane.getStatus().conditions().stream()
            .anyMatch(
                condition ->
                    condition.type().equals(type.name())
                        && condition.status().equals(Condition.FALSE));
  }
}
