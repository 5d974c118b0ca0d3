// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How far a task is that moves resources to another store. Pure. */
final class ReshardProgress {
  private static final int PREPARING = 2;
  private static final int ROLLING = 5;
  private static final int ROLLED = 30;
  private static final int ALL = 100;

  /**
   * The share of one move that is done when all keys are copied, and when the switch is under way.
   */
  private static final double COPIED = 0.9;

  private static final double SWITCHING = 0.95;

  private ReshardProgress() {}

  /** While Services and certificates are made. */
  static Progress preparing(String waitsFor) {
    return new Progress(
        TaskState.Running, TaskStep.PrepareRoute, PREPARING, Optional.empty(), waitsFor, true);
  }

  /** While kube-apiservers are replaced, so that they reach the resources by the Services. */
  static Progress rolling(ControlPlaneTask task, Look look) {
    ControlPlane controlPlane = look.controlPlane();
    Instant began = Instant.parse(task.getStatus().startedAt());
    Optional<RolloutTold> rollout =
        RolloutTold.of(controlPlane, ControlPlaneNames.API_SERVER, began);
    Optional<Deployment> routed =
        look.deployment().filter(live -> isRouted(live, task, controlPlane));
    int percent = routed.map(ReshardProgress::percent).orElse(ROLLING);
    if (rollout.filter(told -> told.stoppedSince(began)).isPresent()) {
      return Progress.failed(
          TaskStep.ReplacePods, percent, RestartProgress.stopped(controlPlane, rollout.get()));
    }
    if (routed.isEmpty()) {
      return Progress.running(TaskStep.ReplacePods, percent, RestartProgress.waits(controlPlane));
    }
    Deployment live = routed.get();
    if (Rollout.isComplete(live) && rollout.isEmpty()) {
      return Progress.running(
          TaskStep.CopyKeys, ROLLED, "All kube-apiservers use the Services; the copy begins.");
    }
    return Progress.running(
        TaskStep.ReplacePods,
        percent,
        "%d of %d kube-apiservers use the Services.%s"
            .formatted(
                Math.min(Rollout.updated(live), live.getSpec().getReplicas()),
                live.getSpec().getReplicas(),
                RestartProgress.gates(rollout)));
  }

  private static int percent(Deployment live) {
    int replicas = Math.max(1, live.getSpec().getReplicas());
    return ROLLING + (ROLLED - ROLLING) * Math.min(Rollout.updated(live), replicas) / replicas;
  }

  /** Whether the template of kube-apiserver names the Service of every resource of a task. */
  private static boolean isRouted(
      Deployment live, ControlPlaneTask task, ControlPlane controlPlane) {
    List<ControlPlaneStatus.Route> routes =
        Optional.ofNullable(controlPlane.getStatus())
            .map(ControlPlaneStatus::routes)
            .orElse(List.of());
    String flags =
        live.getSpec().getTemplate().getSpec().getContainers().stream()
            .flatMap(ReshardProgress::words)
            .filter(word -> word.startsWith("--etcd-servers-overrides="))
            .collect(Collectors.joining(","));
    return task.getStatus().moves().stream()
        .allMatch(
            move ->
                routes.stream()
                    .filter(route -> route.resource().equals(move.resource()))
                    .anyMatch(
                        route ->
                            flags.contains(
                                "%s#https://%s:"
                                    .formatted(
                                        move.resource(), IpAddresses.urlHost(route.address())))));
  }

  private static Stream<String> words(Container container) {
    return Stream.concat(
        Stream.ofNullable(container.getCommand()).flatMap(List::stream),
        Stream.ofNullable(container.getArgs()).flatMap(List::stream));
  }

  /**
   * While one resource moves.
   *
   * @param step what the task is at after this look
   * @param index of the resource among the task's
   */
  static Progress moving(
      TaskStep step, ControlPlaneTask task, int index, MoveState state, Instant now) {
    List<TaskMove> moves = task.getStatus().moves();
    double share =
        switch (state.phase()) {
          case Copying ->
              state.keys() == 0
                  ? 0
                  : COPIED * Math.min(state.keysCopied(), state.keys()) / state.keys();
          case Following -> COPIED;
          case Switching -> SWITCHING;
          case Switched -> 1;
          default -> 0;
        };
    int percent = ROLLED + (int) ((ALL - 1 - ROLLED) * (index + share) / moves.size());
    String message =
        "%s of %d, %s from store %s to %s: %d of %d keys copied, %d revisions behind. %s"
            .formatted(
                index + 1,
                moves.size(),
                moves.get(index).resource(),
                moves.get(index).fromStore(),
                task.getSpec().reshard().toStore(),
                state.keysCopied(),
                state.keys(),
                state.lagRevisions(),
                state.words());
    return new Progress(
        TaskState.Running,
        step,
        percent,
        remaining(task, step, percent, share, now),
        message,
        namesAction(state.words()));
  }

  /** The words of a move name what to do if a store does not answer, or say that nothing is. */
  private static boolean namesAction(String words) {
    return words.contains("See ") || words.contains("No action is needed.");
  }

  /** At the pace of this copy so far; as before while nothing changes. */
  private static Optional<Long> remaining(
      ControlPlaneTask task, TaskStep step, int percent, double share, Instant now) {
    ControlPlaneTaskStatus was = task.getStatus();
    if (step != TaskStep.CopyKeys || was.step() != step || share <= 0) {
      return Optional.empty();
    }
    if (was.progressPercent() != null && was.progressPercent() >= percent) {
      return Optional.ofNullable(was.remainingSeconds());
    }
    long elapsed = Duration.between(Instant.parse(was.stepStartedAt()), now).toSeconds();
    return Optional.of(Math.round(elapsed * (1 - share) / share));
  }

  /** A resource has moved, and the next one follows, or the control plane takes the routes over. */
  static Progress moved(ControlPlaneTask task, int index, MoveState state) {
    List<TaskMove> moves = task.getStatus().moves();
    boolean last = index + 1 == moves.size();
    return Progress.running(
        last ? TaskStep.SwitchRoute : TaskStep.CopyKeys,
        ROLLED + (ALL - 1 - ROLLED) * (index + 1) / moves.size(),
        "Store %s has %s. %s"
            .formatted(
                task.getSpec().reshard().toStore(), moves.get(index).resource(), state.words()));
  }

  /** A move is taken back. */
  static Progress takingBack(ControlPlaneTask task, TaskMove move) {
    return Progress.running(
        TaskStep.CopyKeys,
        0,
        "The operator takes the move of %s back: %s Store %s serves."
            .formatted(move.resource(), move.failure(), move.fromStore()));
  }

  /** It was taken back. */
  static Progress failed(ControlPlaneTask task, ControlPlane controlPlane, TaskMove move) {
    List<TaskMove> moves = task.getStatus().moves();
    String done =
        moves.stream()
            .filter(one -> TaskOrders.isDone(one, task, controlPlane))
            .map(one -> one.resource().toString())
            .collect(Collectors.joining(", "));
    return Progress.failed(
        TaskStep.CopyKeys,
        0,
        "%s did not move, and store %s serves as before: %s %sRepair the cause, and create another task for what did not move."
            .formatted(
                move.resource(),
                move.fromStore(),
                move.failure(),
                done.isEmpty()
                    ? ""
                    : "Store %s has %s. ".formatted(task.getSpec().reshard().toStore(), done)));
  }

  /** A write of this look was refused, and is repeated: as before. */
  static Progress refused(ControlPlaneTask task) {
    TaskStep step = task.getStatus().step();
    return Progress.running(
        step == null ? TaskStep.PrepareRoute : step,
        0,
        "The operator repeats a request that the API server refused or did not answer; its log names the request.");
  }

  /** All have moved. */
  static Progress ending(String message) {
    return Progress.running(TaskStep.SwitchRoute, ALL - 1, message);
  }

  /** The Event of a step that begins. */
  static Optional<News> news(ControlPlaneTask before, ControlPlaneTaskStatus next) {
    TaskStep step = before.getStatus() == null ? null : before.getStatus().step();
    return next.state() == TaskState.Running && next.step() != null && next.step() != step
        ? Optional.of(
            new News(
                false, Reason.TaskAdvanced, "Step %s. %s".formatted(next.step(), next.message())))
        : Optional.empty();
  }
}
