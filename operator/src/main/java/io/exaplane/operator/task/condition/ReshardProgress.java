// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

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
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.RolloutTold;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How far a task is that moves resources to another store. Pure. */
public final class ReshardProgress {
  private static final int PREPARING = 2;
  private static final int ROLLING = 5;
  private static final int ROLLED = 30;
  private static final int ALL = 100;
  private static final int TEN = 10;
  private static final String NO_ACTION = "No action is needed.";

  /**
   * The share of one move that is done when all keys are copied, and when the switch is under way.
   */
  private static final double COPIED = 0.9;

  private static final double SWITCHING = 0.95;

  private ReshardProgress() {}

  /** While Services and certificates are made. */
  public static Progress preparing(String waitsFor) {
    return new Progress(
        TaskState.Running, TaskStep.PrepareRoute, PREPARING, Optional.empty(), waitsFor, true);
  }

  /** While kube-apiservers are replaced, so that they reach the resources by the Services. */
  public static Progress rolling(ControlPlaneTask task, Look look) {
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

  /** Whether each kube-apiserver reaches every resource of a task by its Service. */
  public static boolean isRouted(ControlPlaneTask task, Look look) {
    return look.deployment()
        .filter(live -> isRouted(live, task, look.controlPlane()))
        .filter(Rollout::isComplete)
        .isPresent();
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
  public static Progress moving(
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
    String what =
        "%s of %d, %s from store %s to %s"
            .formatted(
                index + 1,
                moves.size(),
                moves.get(index).resource(),
                moves.get(index).fromStore(),
                task.getSpec().reshard().toStore());
    String numbers =
        ": about %d of %d keys copied, %d revisions behind"
            .formatted(
                rounded(state.keysCopied()), rounded(state.keys()), rounded(state.lagRevisions()));
    boolean told = namesAction(state.words());
    boolean asks = told && !state.words().endsWith(NO_ACTION);
    return new Progress(
        TaskState.Running,
        step,
        percent,
        remaining(task, step, percent, share, now),
        "%s%s. %s".formatted(what, state.keys() == 0 ? "" : numbers, state.words()),
        told,
        "%s. %s".formatted(what, asks ? state.words() : NO_ACTION));
  }

  /** Two digits are enough to see how far it is. */
  public static long rounded(long number) {
    long unit = 1;
    while (number / unit >= ALL) {
      unit *= TEN;
    }
    return number / unit * unit;
  }

  /** The words of a move name what to do if a store does not answer, or say that nothing is. */
  private static boolean namesAction(String words) {
    return words.contains("See ") || words.contains(NO_ACTION);
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
  public static Progress moved(ControlPlaneTask task, int index, MoveState state) {
    List<TaskMove> moves = task.getStatus().moves();
    boolean last = index + 1 == moves.size();
    return Progress.running(
        last ? TaskStep.SwitchRoute : TaskStep.CopyKeys,
        ROLLED + (ALL - 1 - ROLLED) * (index + 1) / moves.size(),
        "Store %s has %s. %s"
            .formatted(
                task.getSpec().reshard().toStore(),
                moves.get(index).resource(),
                isPauseKnown(state)
                    ? state.words()
                    : "Another operator began the switch, so the time for which writes waited is unknown."));
  }

  /** Whether this operator saw the whole switch. */
  public static boolean isPauseKnown(MoveState state) {
    return state.pause() != null && !state.pause().isZero();
  }

  /** A move is taken back, or will be. */
  public static Progress takingBack(
      ControlPlaneTask task, ControlPlane controlPlane, TaskMove move, MoveState state) {
    String toStore = task.getSpec().reshard().toStore();
    return held(
        TaskStep.CopyKeys,
        "The operator is reverting the move of %s: %s %sStore %s must answer first. If this persists for 2 minutes, %s"
            .formatted(
                move.resource(),
                move.failure(),
                state.firstStoreServes() ? "Store %s serves. ".formatted(move.fromStore()) : "",
                toStore,
                wayOut(controlPlane, toStore)));
  }

  /** What a person does about a store that does not answer. */
  public static String wayOut(ControlPlane controlPlane, String store) {
    return "see 'kubectl describe shard %s', and bring the store back. If its data is gone for good, set spec.storage.onDataLoss of the ControlPlane to StartEmpty, and it starts empty."
        .formatted(new ControlPlaneNames(controlPlane).shard(store));
  }

  /** It is taken back, and the control plane has not taken over what moved before. */
  public static Progress takenBack(TaskMove move) {
    return held(
        TaskStep.CopyKeys,
        "%s did not move, and store %s serves as before: %s The task ends after the control plane has adopted the resources that already moved. See the conditions Progressing and ConfigurationValid of the ControlPlane."
            .formatted(move.resource(), move.fromStore(), move.failure()));
  }

  private static Progress held(TaskStep step, String message) {
    return new Progress(TaskState.Running, step, 0, Optional.empty(), message, true);
  }

  /** It was taken back. */
  public static Progress failed(ControlPlaneTask task, ControlPlane controlPlane, TaskMove move) {
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

  /**
   * A write of this look was refused, and is repeated: as before.
   *
   * @param words of the refusals
   */
  public static Progress refused(ControlPlaneTask task, List<String> words) {
    TaskStep step = task.getStatus().step();
    return held(
        step == null ? TaskStep.PrepareRoute : step,
        "The operator repeats a request that the API server refused or did not answer: %s If this persists for 2 minutes, remove the cause."
            .formatted(words.stream().distinct().sorted().collect(Collectors.joining(" "))));
  }

  /** The control plane is being deleted, and the move is taken back or ended before. */
  public static Progress leaving(ControlPlaneTask task, ControlPlane controlPlane) {
    return held(
        task.getStatus().step(),
        "ControlPlane %1$s is being deleted and keeps its data. Before that, the operator takes the move back, or ends a switch that has begun. Both stores must answer. If one is gone for good, set spec.storage.deletion of ControlPlane %1$s to Delete, which deletes all data; or delete this task, and remove its finalizers."
            .formatted(controlPlane.getMetadata().getName()));
  }

  /** All have moved. */
  public static Progress ending(String message) {
    return Progress.running(TaskStep.SwitchRoute, ALL - 1, message);
  }

  /** The Event of a step that begins. */
  public static Optional<News> news(ControlPlaneTask before, ControlPlaneTaskStatus next) {
    TaskStep step = before.getStatus() == null ? null : before.getStatus().step();
    return next.state() == TaskState.Running && next.step() != null && next.step() != step
        ? Optional.of(
            new News(
                false, Reason.TaskAdvanced, "Step %s. %s".formatted(next.step(), next.message())))
        : Optional.empty();
  }
}
