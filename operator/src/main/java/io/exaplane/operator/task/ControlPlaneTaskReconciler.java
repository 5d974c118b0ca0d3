// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.cache.SharedItems;
import io.exaplane.operator.config.BundleMetadata;
import io.exaplane.operator.dependent.UserChange;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.StatusWriter;
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.condition.ReshardProgress;
import io.exaplane.operator.task.condition.ReshardRules;
import io.exaplane.operator.task.condition.RestartProgress;
import io.exaplane.operator.task.condition.RotateProgress;
import io.exaplane.operator.task.condition.TaskRules;
import io.exaplane.operator.task.observe.Look;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import io.quarkiverse.operatorsdk.annotations.AdditionalRBACRules;
import io.quarkiverse.operatorsdk.annotations.CSVMetadata;
import io.quarkiverse.operatorsdk.annotations.RBACRule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Leads tasks from Pending to their end, and tells how far they are. What a running task asks for
 * is carried out by the passes of its control plane ({@code order}); here it is only judged. A
 * second look at the same state writes nothing.
 */
@ControllerConfiguration(
    name = ControlPlaneTaskReconciler.NAME,
    generationAwareEventProcessing = false,
    informer = @Informer(onUpdateFilter = UserChange.class))
@CSVMetadata(bundleName = BundleMetadata.NAME)
@AdditionalRBACRules({
  // A task that rotates the administrator's kubeconfig raises the number of the group.
  @RBACRule(
      apiGroups = Names.GROUP,
      resources = "controlplanes",
      verbs = {"get", "list", "watch", "patch"}),
  // A task that ended is deleted after its time.
  @RBACRule(
      apiGroups = Names.GROUP,
      resources = "controlplanetasks",
      verbs = {"get", "list", "watch", "patch", "delete"}),
  @RBACRule(
      apiGroups = "apps",
      resources = {"deployments", "statefulsets"},
      verbs = "get"),
  @RBACRule(apiGroups = Names.GROUP, resources = "storeshards", verbs = "get")
})
@GradualRetry(maxAttempts = Integer.MAX_VALUE, initialInterval = 1000, maxInterval = 60_000)
public class ControlPlaneTaskReconciler
    implements Reconciler<ControlPlaneTask>, Cleaner<ControlPlaneTask> {
  public static final String NAME = "controlplanetask";
  private static final Duration WHILE_RUNNING = Duration.ofSeconds(3);
  private static final Duration WHILE_PENDING = Duration.ofSeconds(5);
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final TaskLooks looks;
  private final TaskQueue queue;
  private final TaskRemoval removal;
  private final ReshardSteps steps;
  private final EventRecorder events;
  private final StatusWriter<ControlPlaneTaskStatus, ControlPlaneTask> statuses;
  private final Clock clock;

  ControlPlaneTaskReconciler(
      TaskLooks looks,
      TaskQueue queue,
      TaskRemoval removal,
      ReshardSteps steps,
      EventRecorder events,
      Clock clock) {
    this.looks = looks;
    this.queue = queue;
    this.removal = removal;
    this.steps = steps;
    this.events = events;
    this.statuses = new StatusWriter<>(ControlPlaneTask::new, Set.of(), events);
    this.clock = clock;
  }

  @Override
  public UpdateControl<ControlPlaneTask> reconcile(
      ControlPlaneTask task, Context<ControlPlaneTask> context) {
    TaskState state = state(task);
    if (state.isFinished()) {
      queue.forget(task);
      return expire(task, context);
    }
    TaskReport report = new TaskReport(task, clock);
    Optional<ControlPlane> there = context.getSecondaryResource(ControlPlane.class);
    Optional<ControlPlane> controlPlane =
        there.filter(found -> found.getMetadata().getDeletionTimestamp() == null);
    ControlPlaneTaskStatus next =
        state == TaskState.Running
            ? report.of(
                controlPlane
                    .filter(task::hasOwnerReferenceFor)
                    .map(found -> carryOn(task, found, report, context))
                    .orElseGet(() -> goneOf(task, there, context)))
            : pending(task, controlPlane, report, context);
    if (statuses.write(task, next, report.changes(), context) && task.getSpec().reshard() != null) {
      ReshardProgress.news(task, next).ifPresent(news -> events.tell(task, news));
    }
    UpdateControl<ControlPlaneTask> control = UpdateControl.noUpdate();
    Duration left =
        Outcomes.of(context)
            .nextAttempt()
            .orElse(
                next.state().isFinished()
                    ? LEAST
                    : next.step() == TaskStep.SwitchRoute
                        ? LEAST
                        : next.state() == TaskState.Running ? WHILE_RUNNING : WHILE_PENDING);
    return control.rescheduleAfter(left);
  }

  private static TaskState state(ControlPlaneTask task) {
    return task.getStatus() == null || task.getStatus().state() == null
        ? TaskState.Pending
        : task.getStatus().state();
  }

  private Progress goneOf(
      ControlPlaneTask task, Optional<ControlPlane> there, Context<ControlPlaneTask> context) {
    Optional<ControlPlane> leaving =
        there.filter(found -> found.getMetadata().getDeletionTimestamp() != null);
    if (leaving.filter(found -> TaskOrders.holdsRemoval(task, found)).isPresent()
        && !removal.isWithdrawn(task, leaving.get(), context)) {
      return ReshardProgress.leaving(task, leaving.get());
    }
    steps.forget(task);
    return Progress.failed(
        task.getStatus().step(),
        0,
        "ControlPlane %s is gone, is being deleted, or is another one of that name. Delete this task."
            .formatted(task.getSpec().controlPlaneRef().name()));
  }

  private ControlPlaneTaskStatus pending(
      ControlPlaneTask task,
      Optional<ControlPlane> found,
      TaskReport report,
      Context<ControlPlaneTask> context) {
    Optional<String> copy = Begun.copy(task);
    if (copy.isPresent()) {
      return report.rejected(copy.get());
    }
    String name = task.getSpec().controlPlaneRef().name();
    if (found.isEmpty()) {
      return report.pending(
          Reason.WaitingForControlPlane,
          "spec.controlPlaneRef.name %s: no ControlPlane of this namespace has that name; create the ControlPlane, or delete this task."
              .formatted(name));
    }
    ControlPlane controlPlane = found.get();
    if (!owned(task, controlPlane, context)) {
      return report.refused().pending(Reason.TaskQueued, refusals(context));
    }
    Optional<String> holdUp = TaskRules.holdUp(task, controlPlane, clock.instant());
    if (holdUp.isPresent()) {
      return report.pending(Reason.TaskQueued, holdUp.get());
    }
    Look look = looks.look(task, controlPlane, context.getClient());
    Optional<String> rejection = TaskRules.rejection(task, look);
    if (rejection.isPresent()) {
      return report.rejected(rejection.get());
    }
    if (task.getSpec().reshard() != null) {
      Optional<String> stores =
          ReshardRules.holdUp(task, look).or(() -> steps.holdUp(task, controlPlane));
      if (stores.isPresent()) {
        return report.pending(Reason.TaskQueued, stores.get());
      }
      report.with(ReshardRules.moves(task, controlPlane));
    }
    Optional<String> before = queue.before(task, context.getPrimaryCache().list().toList());
    return before
        .map(
            first ->
                report.pending(
                    Reason.TaskQueued,
                    "ControlPlaneTask %s of the same ControlPlane comes first. No action is needed."
                        .formatted(first)))
        .orElseGet(
            () ->
                Outcomes.of(context)
                    .attempt(() -> Begun.mark(task, context.getClient()))
                    .map(_ -> report.started(controlPlane))
                    .orElseGet(
                        () -> report.refused().pending(Reason.TaskQueued, refusals(context))));
  }

  /** Who refused what in this pass, and the next action. */
  private static String refusals(Context<ControlPlaneTask> context) {
    List<Refusal> refusals = Outcomes.of(context).refusals();
    return refusals.isEmpty()
        ? "The task has changed meanwhile. No action is needed."
        : Refusal.text(refusals);
  }

  /** The task goes with its control plane: whether it says so. */
  private static boolean owned(
      ControlPlaneTask task, ControlPlane controlPlane, Context<ControlPlaneTask> context) {
    if (task.hasOwnerReferenceFor(controlPlane)) {
      return true;
    }
    return Outcomes.of(context)
        .attempt(
            () ->
                context
                    .getClient()
                    .resources(ControlPlaneTask.class)
                    .inNamespace(task.getMetadata().getNamespace())
                    .withName(task.getMetadata().getName())
                    .edit(
                        live -> {
                          live.addOwnerReference(
                              new OwnerReferenceBuilder()
                                  .withApiVersion(controlPlane.getApiVersion())
                                  .withKind(controlPlane.getKind())
                                  .withName(controlPlane.getMetadata().getName())
                                  .withUid(controlPlane.getMetadata().getUid())
                                  .build());
                          return live;
                        }))
        .isPresent();
  }

  private Progress carryOn(
      ControlPlaneTask task,
      ControlPlane controlPlane,
      TaskReport report,
      Context<ControlPlaneTask> context) {
    Instant now = clock.instant();
    Look look = looks.look(task, controlPlane, context.getClient());
    Optional<String> obstacle = TaskRules.obstacle(task, controlPlane, now);
    if (task.getSpec().restart() != null) {
      return RestartProgress.of(task, look, now).held(obstacle);
    }
    if (task.getSpec().reshard() != null) {
      return Outcomes.of(context)
          .attempt(() -> steps.advance(task, look, obstacle.isPresent(), now, context))
          .map(
              advance -> {
                report.with(advance.moves());
                return advance.progress();
              })
          .orElseGet(
              () ->
                  ReshardProgress.refused(
                      task, Outcomes.of(context).refusals().stream().map(Refusal::text).toList()))
          .held(obstacle);
    }
    Integer revision = task.getStatus().adminKubeconfigRevision();
    if (revision != null
        && PkiSpec.adminKubeconfigRevision(controlPlane.getSpec().pki()) < revision) {
      Outcomes.of(context).attempt(() -> raise(controlPlane, revision, context.getClient()));
    }
    Progress progress = RotateProgress.of(task, look, now).held(obstacle);
    if (Outcomes.of(context).refusals().isEmpty()) {
      return progress;
    }
    report.refused();
    return progress.held(Optional.of(refusals(context)));
  }

  private static ControlPlane raise(
      ControlPlane controlPlane, int revision, KubernetesClient client) {
    return client
        .resource(controlPlane)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"uid\":\"%s\"},\"spec\":{\"pki\":{\"adminKubeconfigRevision\":%d}}}"
                .formatted(controlPlane.getMetadata().getUid(), revision));
  }

  private UpdateControl<ControlPlaneTask> expire(
      ControlPlaneTask task, Context<ControlPlaneTask> context) {
    Duration left =
        Duration.between(
            clock.instant(),
            Instant.parse(task.getStatus().finishedAt()).plusSeconds(task.getSpec().ttlSeconds()));
    if (!left.isPositive()) {
      Outcomes.of(context).attempt(() -> context.getClient().resource(task).delete());
      return UpdateControl.<ControlPlaneTask>noUpdate()
          .rescheduleAfter(Outcomes.of(context).nextAttempt().orElse(WHILE_PENDING));
    }
    UpdateControl<ControlPlaneTask> control = UpdateControl.noUpdate();
    return NextPass.isSooner(left, context) ? control.rescheduleAfter(left.plus(LEAST)) : control;
  }

  @Override
  public ErrorStatusUpdateControl<ControlPlaneTask> updateErrorStatus(
      ControlPlaneTask task, Context<ControlPlaneTask> context, Exception failure) {
    if (state(task).isFinished()) {
      return ErrorStatusUpdateControl.noStatusUpdate();
    }
    ControlPlaneTaskStatus failed = new TaskReport(task, clock).failed(Refusals.of(failure));
    return failed.equals(task.getStatus())
        ? ErrorStatusUpdateControl.noStatusUpdate()
        : ErrorStatusUpdateControl.patchStatus(statuses.patch(task, failed));
  }

  @Override
  public DeleteControl cleanup(ControlPlaneTask task, Context<ControlPlaneTask> context) {
    Optional<Duration> wait =
        state(task) == TaskState.Running
            ? removal.wait(task, context.getSecondaryResource(ControlPlane.class), context)
            : Optional.empty();
    if (wait.isPresent()) {
      context
          .getSecondaryResource(ControlPlane.class)
          .flatMap(found -> TaskRemoval.obstacle(task, found, clock.instant()))
          .ifPresent(
              told -> {
                TaskReport report = new TaskReport(task, clock);
                statuses.write(task, report.of(told), report.changes(), context);
              });
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(wait.get().toMillis());
    }
    queue.forget(task);
    if (task.getStatus() != null) {
      steps.forget(task);
    }
    return DeleteControl.defaultDelete();
  }

  @Override
  public List<EventSource<?, ControlPlaneTask>> prepareEventSources(
      EventSourceContext<ControlPlaneTask> context) {
    return List.of(
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(ControlPlane.class, ControlPlaneTask.class)
                .withName("task-control-planes")
                .withItemStore(new SharedItems<>())
                .withPrimaryToSecondaryMapper(
                    (ControlPlaneTask task) ->
                        Set.of(
                            new ResourceID(
                                task.getSpec().controlPlaneRef().name(),
                                task.getMetadata().getNamespace())))
                .withSecondaryToPrimaryMapper(
                    controlPlane ->
                        context
                            .getPrimaryCache()
                            .list(
                                controlPlane.getMetadata().getNamespace(),
                                task ->
                                    task.getSpec()
                                        .controlPlaneRef()
                                        .name()
                                        .equals(controlPlane.getMetadata().getName()))
                            .map(ResourceID::fromResource)
                            .collect(Collectors.toSet()))
                .build(),
            context));
  }
}
