// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.condition.ReshardProgress;
import io.exaplane.operator.task.condition.RotateProgress;
import io.exaplane.operator.task.condition.TaskRules;
import io.exaplane.operator.task.observe.Look;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What becomes of a task that is deleted while it runs. A move of a resource is taken back, or ends
 * if its switch has begun: the finalizer stays until then. A restart stops: the finalizer stays
 * until the component has its former template, as long as there is a control plane that could bring
 * it back: without the task, the restart would continue after a pause. A rotation stays in the
 * phase that it has reached. Thread-safe: keeps nothing.
 */
@ApplicationScoped
class TaskRemoval {
  /** A restart that is not taken back by then is looked at less often, and says so. */
  private static final Duration SOON = Duration.ofMinutes(2);

  /** A pass of the control plane that began before the deletion may still write its token. */
  static final Duration LEAST = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(10);

  private final TaskLooks looks;
  private final ReshardSteps steps;
  private final EventRecorder events;
  private final Clock clock;

  TaskRemoval(TaskLooks looks, ReshardSteps steps, EventRecorder events, Clock clock) {
    this.looks = looks;
    this.steps = steps;
    this.events = events;
    this.clock = clock;
  }

  /** How long to wait before the next look; empty when the task may go. */
  Optional<Duration> wait(
      ControlPlaneTask task,
      Optional<ControlPlane> controlPlane,
      Context<ControlPlaneTask> context) {
    // A look that fails is no reason to let go.
    Supplier<Optional<Look>> look =
        () ->
            Outcomes.of(context)
                .attempt(() -> looks.look(task, controlPlane.get(), context.getClient()));
    Predicate<Look> stopped =
        task.getSpec().reshard() == null
            ? seen -> isStopped(task, seen)
            : seen -> isWithdrawn(task, seen, context);
    Optional<Duration> wait = wait(task, controlPlane, look, stopped, clock.instant());
    if (wait.isEmpty() && isLeft(task, controlPlane)) {
      events.tell(task, cancelled(task));
    }
    return wait;
  }

  private boolean isWithdrawn(ControlPlaneTask task, Look look, Context<ControlPlaneTask> context) {
    return Outcomes.of(context).attempt(() -> steps.withdraw(task, look, context)).orElse(false);
  }

  /** Takes a move back, or ends it, before its control plane goes: whether that is done. */
  boolean isWithdrawn(
      ControlPlaneTask task, ControlPlane controlPlane, Context<ControlPlaneTask> context) {
    return Outcomes.of(context)
        .attempt(() -> looks.look(task, controlPlane, context.getClient()))
        .filter(look -> isWithdrawn(task, look, context))
        .isPresent();
  }

  /**
   * The same.
   *
   * @param look is asked only about a restart or a move whose control plane is there
   * @param stopped whether nothing is left to be done
   */
  static Optional<Duration> wait(
      ControlPlaneTask task,
      Optional<ControlPlane> controlPlane,
      Supplier<Optional<Look>> look,
      Predicate<Look> stopped,
      Instant now) {
    if (task.getSpec().rotate() != null || !isLeft(task, controlPlane)) {
      return Optional.empty();
    }
    Duration since =
        Duration.between(Instant.parse(task.getMetadata().getDeletionTimestamp()), now);
    return since.compareTo(LEAST) >= 0 && look.get().filter(stopped).isPresent()
        ? Optional.empty()
        : Optional.of(since.compareTo(SOON) < 0 ? LOOK : LATER);
  }

  private static boolean isLeft(ControlPlaneTask task, Optional<ControlPlane> controlPlane) {
    return controlPlane
        .filter(
            found ->
                found.getMetadata().getDeletionTimestamp() == null
                    || TaskOrders.holdsRemoval(task, found))
        .filter(task::hasOwnerReferenceFor)
        .isPresent();
  }

  /** Why a restart or a move is not taken back yet; empty while that is a matter of seconds. */
  static Optional<Progress> obstacle(
      ControlPlaneTask task, ControlPlane controlPlane, Instant now) {
    if (controlPlane.getMetadata().getDeletionTimestamp() != null) {
      return Optional.of(ReshardProgress.leaving(task, controlPlane))
          .filter(_ -> TaskOrders.holdsRemoval(task, controlPlane));
    }
    Instant deleted = Instant.parse(task.getMetadata().getDeletionTimestamp());
    return TaskRules.inactive(controlPlane, now)
        .or(
            () ->
                Optional.of(
                        "See the conditions Progressing and Degraded of ControlPlane %s."
                            .formatted(controlPlane.getMetadata().getName()))
                    .filter(_ -> !now.isBefore(deleted.plus(SOON))))
        .map(
            words ->
                Progress.running(
                        task.getStatus().step(),
                        0,
                        task.getSpec().reshard() == null
                            ? "The task is deleted, and the operator takes the restart back later."
                            : "The task is deleted, and the operator takes the move back later, or ends a switch that has begun. Both stores must serve: "
                                + ReshardProgress.wayOut(
                                    controlPlane, task.getSpec().reshard().toStore()))
                    .held(Optional.of(words)));
  }

  /** Whether nothing more is replaced because of the task. */
  static boolean isStopped(ControlPlaneTask task, Look look) {
    return task.getSpec().restart().store() != null
        || look.deployment()
            .filter(live -> Rollout.restartedAt(live).equals(TaskOrders.token(task)))
            .filter(live -> !Rollout.isComplete(live))
            .isEmpty();
  }

  /** What the Event of a task that was deleted while it ran says. */
  static News cancelled(ControlPlaneTask task) {
    return new News(false, Reason.TaskCancelled, text(task));
  }

  private static String text(ControlPlaneTask task) {
    if (task.getSpec().reshard() != null) {
      return "The task is deleted. Resources that moved remain in store %s, and all others where they were; see spec.storage.routes of the ControlPlane. The Services of the resources remain."
          .formatted(task.getSpec().reshard().toStore());
    }
    if (task.getSpec().restart() != null && task.getSpec().restart().store() != null) {
      return "The task is deleted. A restart of the store that has begun ends by itself.";
    }
    if (task.getSpec().restart() != null) {
      return "The task is deleted. The operator replaces no further pod for it; pods that were replaced for it get their former template.";
    }
    if (!task.getSpec().rotate().credential().isLongLived()) {
      return "The task is deleted. Certificates that it replaced remain replaced.";
    }
    String field = RotateProgress.field(task.getSpec().rotate().credential());
    return task.getStatus().step() == TaskStep.Complete
        ? "The task is deleted while the old key is taken out of use. The rotation ends by itself if the phase remains Completing. Only in the phase Prepared, create another task, or set spec.pki.rotation.%s of the ControlPlane to Complete."
            .formatted(field)
        : "The task is deleted. The rotation reaches the phase Prepared and stays there, with both keys trusted. To continue, create another task, or set spec.pki.rotation.%s of the ControlPlane to Complete."
            .formatted(field);
  }
}
