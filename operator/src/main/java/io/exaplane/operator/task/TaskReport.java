// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.TaskCondition;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.KubernetesStatus;
import io.exaplane.operator.status.RefusedWrites;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.task.condition.CompleteCondition;
import io.exaplane.operator.task.condition.Progress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes the next status of a task from the one before. Time alone changes only what a task says
 * that waits: after two minutes, where to look. Used by one thread.
 */
final class TaskReport {
  private static final int ALL = 100;
  private static final KubernetesStatus.Types TYPES =
      new KubernetesStatus.Types(
          TaskCondition.Ready, TaskCondition.Reconciling, TaskCondition.Stalled);
  private static final KubernetesStatus.Sources SOURCES =
      new KubernetesStatus.Sources(
          List.of(TaskCondition.Complete),
          KubernetesStatus.whileFalse(TaskCondition.Complete),
          List.of(TaskCondition.Complete),
          List.of(Reason.TaskQueued, Reason.TaskRunning, Reason.WaitingForControlPlane));

  private final ControlPlaneTask task;
  private final Optional<ControlPlaneTaskStatus> before;
  private final ConditionSet conditions;
  private final Instant now;
  private List<TaskMove> moves;
  private boolean refused;

  TaskReport(ControlPlaneTask task, Clock clock) {
    this.task = task;
    this.before = Optional.ofNullable(task.getStatus());
    this.now = clock.instant();
    this.moves = before.map(ControlPlaneTaskStatus::moves).orElse(null);
    this.conditions =
        new ConditionSet(
            before.map(ControlPlaneTaskStatus::conditions).orElse(null),
            task.getMetadata().getGeneration(),
            clock);
  }

  /** The conditions that changed. */
  List<Condition> changes() {
    return conditions.changes();
  }

  /** The status tells of these moves. */
  TaskReport with(List<TaskMove> known) {
    moves = known;
    return this;
  }

  /**
   * In this pass something was refused. Numbers that move in the words of who refuses, as those of
   * a webhook that counts, write no status.
   */
  TaskReport refused() {
    refused = true;
    return this;
  }

  /** The last look failed and is tried again; all else stays as it was. */
  ControlPlaneTaskStatus failed(Refusal refusal) {
    refused();
    if (before.map(ControlPlaneTaskStatus::state).filter(TaskState.Running::equals).isEmpty()) {
      return pending(Reason.TaskQueued, refusal.text());
    }
    ControlPlaneTaskStatus was = before.get();
    int percent = was.progressPercent() == null ? 0 : was.progressPercent();
    return of(
        new Progress(
            TaskState.Running,
            was.step(),
            percent,
            Optional.ofNullable(was.remainingSeconds()),
            refusal.text(),
            true));
  }

  /** It has not begun; the message names what it waits for, and the next action. */
  ControlPlaneTaskStatus pending(Reason reason, String message) {
    return status(
        new Told(TaskState.Pending, null, message, null, null, null, null, null, null),
        CompleteCondition.pending(reason, message));
  }

  /** It can't be carried out. */
  ControlPlaneTaskStatus rejected(String message) {
    return status(
        new Told(TaskState.Rejected, null, message, null, null, null, null, end(), null),
        CompleteCondition.rejected(message));
  }

  /** It begins: what it does refers to this moment. */
  ControlPlaneTaskStatus started(ControlPlane controlPlane) {
    boolean admin =
        task.getSpec().rotate() != null
            && task.getSpec().rotate().credential() == TaskCredential.AdminKubeconfig;
    String began = now.truncatedTo(ChronoUnit.MILLIS).toString();
    String message = "The task begins.";
    return status(
        new Told(
            TaskState.Running,
            null,
            message,
            0,
            null,
            began,
            began,
            null,
            admin ? PkiSpec.adminKubeconfigRevision(controlPlane.getSpec().pki()) + 1 : null),
        CompleteCondition.of(TaskState.Running, message, false));
  }

  /** A task that runs. */
  ControlPlaneTaskStatus of(Progress progress) {
    ControlPlaneTaskStatus was = before.orElseThrow();
    boolean sameStep = progress.step() == was.step();
    boolean ended = progress.state().isFinished();
    // A pod that is made anew for another reason takes nothing back of what was told.
    int percent =
        Math.max(progress.percent(), was.progressPercent() == null ? 0 : was.progressPercent());
    return status(
        new Told(
            progress.state(),
            progress.step(),
            progress.message(),
            percent,
            ended ? null : remaining(progress, percent, was),
            was.startedAt(),
            sameStep ? was.stepStartedAt() : now.truncatedTo(ChronoUnit.MILLIS).toString(),
            ended ? end() : null,
            was.adminKubeconfigRevision()),
        CompleteCondition.of(progress.state(), progress.lasting(), progress.held()));
  }

  private Long remaining(Progress progress, int percent, ControlPlaneTaskStatus was) {
    if (progress.remainingSeconds().isPresent()) {
      return progress.remainingSeconds().get();
    }
    if (progress.step() != TaskStep.ReplacePods || percent <= 0 || percent >= ALL) {
      return null;
    }
    if (progress.step() == was.step() && Objects.equals(percent, was.progressPercent())) {
      return was.remainingSeconds();
    }
    long elapsed = Duration.between(Instant.parse(was.startedAt()), now).toSeconds();
    return elapsed * (ALL - percent) / percent;
  }

  private String end() {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private record Told(
      TaskState state,
      TaskStep step,
      String message,
      Integer percent,
      Long remaining,
      String startedAt,
      String stepStartedAt,
      String finishedAt,
      Integer revision) {}

  private ControlPlaneTaskStatus status(Told told, Verdict complete) {
    Optional<String> was = conditions.previous(TaskCondition.Complete).map(Condition::message);
    conditions.set(TaskCondition.Complete, complete.withMessage(steady(was, complete.message())));
    if (told.state() == TaskState.Pending) {
      conditions.limitPatience(ConditionSet::since, _ -> lookAt());
    } else if (told.step() == TaskStep.WaitForTurn) {
      conditions.limitPatience(_ -> Instant.parse(told.stepStartedAt()), _ -> lookAt());
    }
    KubernetesStatus.derive(conditions, TYPES, SOURCES);
    return new ControlPlaneTaskStatus(
        task.getMetadata().getGeneration(),
        task.getSpec().summary(),
        told.state(),
        told.step(),
        told.state() == TaskState.Pending
            ? conditions.current(TaskCondition.Complete).orElseThrow().message()
            : steady(before.map(ControlPlaneTaskStatus::message), told.message()),
        told.percent(),
        told.remaining(),
        told.startedAt(),
        told.stepStartedAt(),
        told.finishedAt(),
        told.revision(),
        conditions.build(),
        moves);
  }

  /** A task waits for its control plane, or for other tasks of that. */
  private String lookAt() {
    String namespace = task.getMetadata().getNamespace();
    return "see the conditions in 'kubectl -n %1$s describe cpl %2$s', and the other tasks in 'kubectl -n %1$s get cpltask'"
        .formatted(namespace, task.getSpec().controlPlaneRef().name());
  }

  private String steady(Optional<String> was, String message) {
    return refused ? was.map(text -> RefusedWrites.steady(text, message)).orElse(message) : message;
  }
}
