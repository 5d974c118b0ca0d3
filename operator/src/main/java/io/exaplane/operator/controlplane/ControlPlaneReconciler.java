// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.config.BundleMetadata;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.controlplane.addon.Addons;
import io.exaplane.operator.controlplane.certificate.CertificateNews;
import io.exaplane.operator.controlplane.certificate.CertificateStep;
import io.exaplane.operator.controlplane.dependent.ApiServerDeployment;
import io.exaplane.operator.controlplane.dependent.ApiServerService;
import io.exaplane.operator.controlplane.dependent.BundleConfigMap;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.dependent.ControllerManagerDeployment;
import io.exaplane.operator.controlplane.dependent.DisruptionBudgets;
import io.exaplane.operator.controlplane.dependent.RoutedServices;
import io.exaplane.operator.controlplane.dependent.SchedulerDeployment;
import io.exaplane.operator.controlplane.dependent.Stores;
import io.exaplane.operator.controlplane.dependent.TuningConfigMap;
import io.exaplane.operator.controlplane.fleet.Turn;
import io.exaplane.operator.controlplane.gate.CertificatesIssued;
import io.exaplane.operator.controlplane.gate.KubeSchedulerWanted;
import io.exaplane.operator.controlplane.hosted.ApiServerMemory;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.hosted.GuardVerdict;
import io.exaplane.operator.controlplane.hosted.HostedAccess;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.hosted.LeaseRate;
import io.exaplane.operator.controlplane.observe.ComponentRestarts;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Observer;
import io.exaplane.operator.controlplane.observe.PoolTotals;
import io.exaplane.operator.controlplane.observe.Sighting;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.status.LifecycleStatus;
import io.exaplane.operator.controlplane.status.StatusReporter;
import io.exaplane.operator.dependent.PodReplacer;
import io.exaplane.operator.dependent.UserChange;
import io.exaplane.operator.metrics.ControlPlaneMetrics;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.StatusWriter;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import io.quarkiverse.operatorsdk.annotations.AdditionalRBACRules;
import io.quarkiverse.operatorsdk.annotations.CSVMetadata;
import io.quarkiverse.operatorsdk.annotations.RBACRule;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Longer than others: its annotations list all that it owns and may do.
 *
 * <p>Makes a control plane what its spec says: look, certificates, then the workflow, then the
 * hosted cluster's own objects, then status. A second look at the same state writes nothing.
 */
@Workflow(
    explicitInvocation = true,
    handleExceptionsInReconciler = true,
    dependents = {
      @Dependent(
          name = ControlPlaneReconciler.SERVICE,
          type = ApiServerService.class,
          readyPostcondition = CertificatesIssued.class,
          useEventSourceWithName = ControlPlaneReconciler.SERVICES),
      @Dependent(
          type = RoutedServices.class,
          useEventSourceWithName = ControlPlaneReconciler.SERVICES),
      @Dependent(
          type = BundleConfigMap.class,
          useEventSourceWithName = ControlPlaneReconciler.CONFIG_MAPS),
      @Dependent(type = Stores.class),
      @Dependent(
          type = TuningConfigMap.class,
          useEventSourceWithName = ControlPlaneReconciler.CONFIG_MAPS),
      @Dependent(type = DisruptionBudgets.class),
      @Dependent(
          name = ControlPlaneReconciler.API_SERVER,
          type = ApiServerDeployment.class,
          dependsOn = ControlPlaneReconciler.SERVICE,
          useEventSourceWithName = ControlPlaneReconciler.DEPLOYMENTS),
      @Dependent(
          type = ControllerManagerDeployment.class,
          dependsOn = ControlPlaneReconciler.API_SERVER,
          useEventSourceWithName = ControlPlaneReconciler.DEPLOYMENTS),
      @Dependent(
          type = SchedulerDeployment.class,
          dependsOn = ControlPlaneReconciler.API_SERVER,
          reconcilePrecondition = KubeSchedulerWanted.class,
          useEventSourceWithName = ControlPlaneReconciler.DEPLOYMENTS)
    })
@ControllerConfiguration(
    name = ControlPlaneReconciler.NAME,
    generationAwareEventProcessing = false,
    informer = @Informer(onUpdateFilter = UserChange.class))
@CSVMetadata(bundleName = BundleMetadata.NAME)
@AdditionalRBACRules({
  // Certificates: never deleted by the operator, they go with their owner.
  @RBACRule(
      apiGroups = "",
      resources = "secrets",
      verbs = {"get", "list", "watch", "create", "patch"}),
  // Why a component does not run; deleted when one waits although its dependencies are back.
  @RBACRule(
      apiGroups = "",
      resources = "pods",
      verbs = {"get", "list", "watch", "delete"}),
  // The console asks who somebody is, and what they may see.
  @RBACRule(apiGroups = "authentication.k8s.io", resources = "tokenreviews", verbs = "create"),
  @RBACRule(
      apiGroups = "authorization.k8s.io",
      resources = "subjectaccessreviews",
      verbs = "create"),
  // A NodePort endpoint's address.
  @RBACRule(apiGroups = "", resources = "nodes", verbs = "list"),
  // Which pods are of the newest template.
  @RBACRule(apiGroups = "apps", resources = "replicasets", verbs = "list"),
  @RBACRule(apiGroups = "", resources = "events", verbs = "create"),
  @RBACRule(apiGroups = "storage.k8s.io", resources = "storageclasses", verbs = "list"),
  // Which addresses Services of the management cluster have.
  @RBACRule(apiGroups = "networking.k8s.io", resources = "servicecidrs", verbs = "list"),
  // Who takes kube-scheduler's place.
  @RBACRule(
      apiGroups = Names.GROUP,
      resources = "schedulerpools",
      verbs = {"get", "list", "watch"}),
  // Whose numbers of nodes add up.
  @RBACRule(
      apiGroups = Names.GROUP,
      resources = "nodepools",
      verbs = {"get", "list", "watch"}),
  // Leader election.
  @RBACRule(
      apiGroups = "coordination.k8s.io",
      resources = "leases",
      verbs = {"get", "create", "update", "patch"}),
})
@GradualRetry(maxAttempts = Integer.MAX_VALUE, initialInterval = 1000, maxInterval = 60_000)
public class ControlPlaneReconciler implements Reconciler<ControlPlane>, Cleaner<ControlPlane> {
  public static final String NAME = "controlplane";
  static final String SERVICE = "service";
  static final String API_SERVER = "apiserver";
  static final String DEPLOYMENTS = "deployments";
  static final String SERVICES = "services";
  static final String CONFIG_MAPS = "config-maps";

  private static final Set<String> BAD =
      Set.of(ConditionType.Degraded.name(), ConditionType.Deleting.name());

  private final SpecChecks checks;
  private final Observer observer;
  private final CertificateStep certificates;
  private final HostedAccess hosted;
  private final Removal removal;
  private final StatusWriter<ControlPlaneStatus, ControlPlane> statuses;
  private final EventRecorder events;
  private final ControlPlaneMetrics metrics;
  private final Clock clock;
  private final Pinning pinning;
  private final Rolling rolling;
  private final Addons addons;
  private final Instant begun;

  ControlPlaneReconciler(
      Pinning pinning,
      Rolling rolling,
      SpecChecks checks,
      Observer observer,
      CertificateStep certificates,
      HostedAccess hosted,
      Addons addons,
      Removal removal,
      EventRecorder events,
      ControlPlaneMetrics metrics,
      Clock clock) {
    this.pinning = pinning;
    this.rolling = rolling;
    this.checks = checks;
    this.observer = observer;
    this.certificates = certificates;
    this.hosted = hosted;
    this.addons = addons;
    this.removal = removal;
    this.statuses = new StatusWriter<>(ControlPlane::new, BAD, events);
    this.events = events;
    this.metrics = metrics;
    this.clock = clock;
    this.begun = clock.instant();
  }

  @Override
  public UpdateControl<ControlPlane> reconcile(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    if (controlPlane.getStatus() == null) {
      // A hundred that come at once are told soon; each is made when its turn comes.
      LifecycleStatus accepted = LifecycleStatus.accepted(controlPlane, clock);
      boolean written = update(controlPlane, accepted.status(), accepted.changes(), context);
      return UpdateControl.<ControlPlane>noUpdate()
          .rescheduleAfter(NextLook.first(written, Outcomes.of(context).nextAttempt()));
    }
    Outcomes outcomes = Outcomes.of(context);
    Optional<Instant> pausedUntil =
        PausedUntil.parse(controlPlane.getSpec().pausedUntil(), clock.instant());
    SpecChecks.Found found = checks.look(controlPlane, pausedUntil.isPresent(), context);
    Sized sized = found.sized();
    Optional<Problem> problem = found.problem();
    boolean hold = found.unread() || problem.isPresent() || pausedUntil.isPresent();
    Observed observed =
        hold
            ? held(sized, pausedUntil.isPresent(), context)
            : carryOut(observe(sized, false, context), context);
    hosted.connect(observed, context.getSecondaryResources(NodePool.class));
    Optional<EndpointProbe.Result> probe = context.getSecondaryResource(EndpointProbe.Result.class);
    Optional<String> refused =
        pausedUntil.isEmpty()
                && observed.storesServe()
                && probe.filter(EndpointProbe.Result::answers).isPresent()
            ? hosted.ensureObjects(observed, hold)
            : Optional.empty();
    if (!hold && probe.filter(EndpointProbe.Result::answers).isPresent()) {
      hosted.rewrite(observed);
    }
    StatusReporter reporter =
        new StatusReporter(
            observed,
            probe,
            refused,
            context.getSecondaryResource(Leaders.class).orElse(Leaders.UNKNOWN),
            clock);
    reporter.note(found.notice(), found.judged());
    reporter.nodes(
        PoolTotals.of(
            context.getSecondaryResources(NodePool.class),
            LeaseRate.latest(context.getSecondaryResource(LeaseRate.class), controlPlane)));
    context.getSecondaryResource(ApiServerMemory.class).ifPresent(reporter::memory);
    context.getSecondaryResource(GuardVerdict.class).ifPresent(reporter::guard);
    Optional<ControlPlanePins> pins = ControlPlanePins.shared(context);
    if (pausedUntil.isPresent()) {
      addons.rest(controlPlane);
    } else if (!hold && probe.filter(EndpointProbe.Result::answers).isPresent()) {
      reporter.addons(
          addons.follow(
              controlPlane,
              pins.map(ControlPlanePins::builtIns).orElse(Map.of()),
              () -> hosted.changed(controlPlane)));
    }
    Optional<RestartPlan> restarts =
        pausedUntil.isPresent()
            ? Optional.empty()
            : Optional.of(
                PodReplacer.allowed(
                    controlPlane,
                    !hold,
                    mayReplace -> ComponentRestarts.plan(observed, mayReplace, clock.instant()),
                    context));
    restarts.ifPresent(reporter::restarts);
    reporter.update(
        pins.map(ControlPlanePins::update)
            .orElseGet(() -> pinning.pins(controlPlane, context).update()),
        pins.map(ControlPlanePins::bundle));
    Optional<RolloutPlan> rollout = rolling.carriedOut(observed, reporter, hosted, context);
    Optional<Turn> turn = pins.flatMap(_ -> Turn.shared(context));
    reporter.turn(
        pins.isEmpty() ? pinning.held(controlPlane) : turn.map(Turn::place).orElse(null),
        turn.map(Turn::most).orElse(0));
    ControlPlaneStatus status =
        reporter.status(problem, pausedUntil.isPresent(), outcomes.refusals());
    boolean written = update(controlPlane, status, reporter.changes(), context);
    if (written) {
      reporter.outage(begun).ifPresent(news -> events.tell(controlPlane, news));
      PodReplacer.replace(controlPlane, restarts, context, events);
      rollout.ifPresent(plan -> rolling.tell(controlPlane, plan, context));
    }
    if (reporter.isLongSilent()) {
      hosted.rest(controlPlane);
    }
    UpdateControl<ControlPlane> control = UpdateControl.noUpdate();
    NextLook.soonest(
            context,
            List.of(
                NextLook.after(observed, problem, pausedUntil, clock.instant()),
                outcomes.nextAttempt(),
                restarts.flatMap(RestartPlan::nextLook),
                NextLook.moves(pins, rollout),
                NextLook.rewrite(observed),
                NextLook.turn(written, turn),
                NextLook.window(
                    pins.map(ControlPlanePins::update), observed.shards(), clock.instant()),
                reporter.untilPatienceEnds()))
        .ifPresent(control::rescheduleAfter);
    return control;
  }

  /**
   * While the spec can't be carried out what runs stays as it is, and its certificates are renewed;
   * while it is paused not even those.
   */
  private Observed held(Sized sized, boolean paused, Context<ControlPlane> context) {
    ControlPlane controlPlane = sized.controlPlane().asked();
    boolean runs =
        controlPlane.getStatus() != null
            && controlPlane.getStatus().certificates() != null
            && !controlPlane.getStatus().certificates().isEmpty();
    return runs && !paused
        ? observe(sized, true, context)
        : observer.held(sized, certificates.look(controlPlane, context), context);
  }

  /**
   * Runs the workflow, and once more when its first run gave what the rest was waiting for: no
   * event comes for objects that this operator made itself. It does not run if the pods cannot be
   * told apart that it would replace.
   */
  private Observed carryOut(Observed before, Context<ControlPlane> context) {
    Outcomes outcomes = Outcomes.of(context);
    Observed observed = before;
    boolean complete;
    do {
      complete = observed.completeInputs().isPresent();
      Observed now = observed;
      if (outcomes.read(() -> prepared(now, context)).isEmpty()) {
        return observed;
      }
      outcomes.begin();
      outcomes.run(context);
      observed = observe(observed.sized(), false, context);
    } while (!complete && observed.completeInputs().isPresent());
    return observed;
  }

  /** Hands over to the dependents what they make. */
  private ControlPlanePins prepared(Observed observed, Context<ControlPlane> context) {
    observed.share(context);
    ControlPlanePins pins = pinning.pin(observed, context);
    rolling.share(observed, pins, context);
    pins.share(context);
    return pins;
  }

  private Observed observe(Sized sized, boolean held, Context<ControlPlane> context) {
    Sighting seen = observer.look(sized, context);
    Observed observed = observer.complete(seen, certificates.bringUpToDate(seen, held, context));
    ControlPlane controlPlane = sized.controlPlane().asked();
    CertificateNews.of(controlPlane, observed.pki())
        .forEach(news -> events.tell(controlPlane, news));
    return observed;
  }

  /**
   * Writes the status, and counts it.
   *
   * @return whether the status is as it should be
   */
  private boolean update(
      ControlPlane controlPlane,
      ControlPlaneStatus status,
      List<Condition> changes,
      Context<ControlPlane> context) {
    metrics.observe(controlPlane.getMetadata().getUid(), status);
    return statuses.write(controlPlane, status, changes, context);
  }

  @Override
  public ErrorStatusUpdateControl<ControlPlane> updateErrorStatus(
      ControlPlane controlPlane, Context<ControlPlane> context, Exception failure) {
    LifecycleStatus failed =
        LifecycleStatus.failed(
            controlPlane,
            Refusals.of(failure),
            context.getSecondaryResource(EndpointProbe.Result.class),
            clock);
    return failed.status().equals(controlPlane.getStatus())
        ? ErrorStatusUpdateControl.noStatusUpdate()
        : ErrorStatusUpdateControl.patchStatus(statuses.patch(controlPlane, failed.status()));
  }

  @Override
  public DeleteControl cleanup(ControlPlane controlPlane, Context<ControlPlane> context) {
    hosted.forget(controlPlane);
    metrics.forget(controlPlane.getMetadata().getUid());
    pinning.forget(controlPlane, context);
    DeleteControl control = removal.proceed(controlPlane, context.getClient());
    return control.isRemoveFinalizer()
        ? removal.letGo(
            controlPlane,
            context.getControllerConfiguration().getFinalizerName(),
            context.getClient())
        : control;
  }

  @Override
  public List<EventSource<?, ControlPlane>> prepareEventSources(
      EventSourceContext<ControlPlane> context) {
    return Secondaries.all(DEPLOYMENTS, CONFIG_MAPS, SERVICES, hosted, pinning.calls(), context);
  }
}
