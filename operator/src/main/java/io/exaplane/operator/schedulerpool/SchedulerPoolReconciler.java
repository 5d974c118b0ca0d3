// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.cache.SharedItems;
import io.exaplane.operator.config.BundleMetadata;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.dependent.PodReplacer;
import io.exaplane.operator.dependent.UserChange;
import io.exaplane.operator.metrics.PoolMetrics;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.probe.ProbeSource;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.schedulerpool.dependent.DisruptionBudgets;
import io.exaplane.operator.schedulerpool.dependent.PoolBundle;
import io.exaplane.operator.schedulerpool.dependent.PoolPins;
import io.exaplane.operator.schedulerpool.dependent.Services;
import io.exaplane.operator.schedulerpool.dependent.StandIn;
import io.exaplane.operator.schedulerpool.dependent.StatefulSets;
import io.exaplane.operator.schedulerpool.gate.AddressesKnown;
import io.exaplane.operator.schedulerpool.hosted.PoolProbe;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.observe.PoolObserver;
import io.exaplane.operator.schedulerpool.observe.PoolRestarts;
import io.exaplane.operator.schedulerpool.status.PoolStatusReporter;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.StatusWriter;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
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
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs a scheduler of one or many processes: addresses and certificates of its tree, then its
 * processes, shards first; and a kube-scheduler in its place when nobody of it is in charge. A
 * second look at the same state writes nothing.
 */
@Workflow(
    explicitInvocation = true,
    handleExceptionsInReconciler = true,
    dependents = {
      @Dependent(
          name = SchedulerPoolReconciler.SERVICES,
          type = Services.class,
          readyPostcondition = AddressesKnown.class),
      @Dependent(type = PoolBundle.class, dependsOn = SchedulerPoolReconciler.SERVICES),
      @Dependent(type = StatefulSets.class, dependsOn = SchedulerPoolReconciler.SERVICES),
      @Dependent(type = StandIn.class, dependsOn = SchedulerPoolReconciler.SERVICES),
      @Dependent(type = DisruptionBudgets.class)
    })
@ControllerConfiguration(
    name = SchedulerPoolReconciler.NAME,
    generationAwareEventProcessing = false,
    informer = @Informer(onUpdateFilter = UserChange.class))
@CSVMetadata(bundleName = BundleMetadata.NAME)
@AdditionalRBACRules({
  @RBACRule(
      apiGroups = "",
      resources = "pods",
      verbs = {"get", "list", "watch", "delete"}),
  @RBACRule(
      apiGroups = Names.GROUP,
      resources = "controlplanes",
      verbs = {"get", "list", "watch"})
})
@GradualRetry(maxAttempts = Integer.MAX_VALUE, initialInterval = 1000, maxInterval = 60_000)
public class SchedulerPoolReconciler implements Reconciler<SchedulerPool>, Cleaner<SchedulerPool> {
  public static final String NAME = "schedulerpool";
  static final String SERVICES = "services";
  private static final Set<String> BAD = Set.of(PoolCondition.Degraded.name());
  private static final Duration MISSING_RECHECK = Duration.ofSeconds(10);

  private final PoolObserver observer;
  private final PoolProbe probe;
  private final OperatorConfig config;
  private final OperatorBundle bundle;
  private final StatusWriter<SchedulerPoolStatus, SchedulerPool> statuses;
  private final EventRecorder events;
  private final PoolMetrics metrics;
  private final Clock clock;

  SchedulerPoolReconciler(
      PoolObserver observer,
      PoolProbe probe,
      OperatorConfig config,
      OperatorBundle bundle,
      EventRecorder events,
      PoolMetrics metrics,
      Clock clock) {
    this.observer = observer;
    this.probe = probe;
    this.config = config;
    this.bundle = bundle;
    this.statuses = new StatusWriter<>(SchedulerPool::new, BAD, events);
    this.events = events;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public UpdateControl<SchedulerPool> reconcile(
      SchedulerPool pool, Context<SchedulerPool> context) {
    Optional<Instant> pausedUntil =
        PausedUntil.parse(pool.getSpec().pausedUntil(), clock.instant());
    PoolObserved observed = observe(pool, pausedUntil.isPresent(), context);
    if (observed.missing().isEmpty() && pausedUntil.isEmpty()) {
      observed = carryOut(observed, context);
    }
    PoolStatusReporter reporter = new PoolStatusReporter(pool, clock);
    PoolObserved seen = observed;
    Optional<RestartPlan> restarts =
        pausedUntil.isPresent()
            ? Optional.empty()
            : Optional.of(
                PodReplacer.allowed(
                    pool,
                    seen.missing().isEmpty(),
                    mayReplace -> PoolRestarts.plan(seen, mayReplace, clock.instant()),
                    context));
    restarts.ifPresent(reporter::restarts);
    String newest = new Images(config, pool.getSpec().images()).scheduler();
    Update update =
        PoolPins.shared(context)
            .map(PoolPins::update)
            .orElseGet(() -> pins(pool, context).update());
    Outcomes outcomes = Outcomes.of(context);
    SchedulerPoolStatus status =
        reporter.status(observed, pausedUntil.isPresent(), newest, update, outcomes.refusals());
    metrics.observe(pool.getMetadata().getUid(), status);
    if (statuses.write(pool, status, reporter.changes(), context)) {
      PodReplacer.replace(pool, restarts, context, events);
    }
    UpdateControl<SchedulerPool> control = UpdateControl.noUpdate();
    Stream.of(
            nextLook(observed, status, pausedUntil),
            outcomes.nextAttempt(),
            restarts.flatMap(RestartPlan::nextLook),
            update.untilWindow(clock.instant()),
            reporter.untilPatienceEnds())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .filter(left -> NextPass.isSooner(left, context))
        .ifPresent(control::rescheduleAfter);
    return control;
  }

  private Pins pins(SchedulerPool pool, Context<SchedulerPool> context) {
    return PoolPins.open(pool, bundle.name(), clock.instant(), context);
  }

  private PoolObserved observe(SchedulerPool pool, boolean hold, Context<SchedulerPool> context) {
    return observer.observe(pool, hold, pins(pool, context).update().problem(), context);
  }

  /** Runs the workflow, and once more when its first run gave the addresses. */
  private PoolObserved carryOut(PoolObserved before, Context<SchedulerPool> context) {
    Outcomes outcomes = Outcomes.of(context);
    PoolObserved observed = before;
    boolean complete;
    do {
      complete = observed.completeInputs().isPresent();
      observed.share(context);
      PoolPins.of(pins(observed.pool(), context), observed, config, context)
          .ifPresent(pins -> pins.share(context));
      outcomes.begin();
      outcomes.run(context);
      observed = observe(observed.pool(), false, context);
    } while (!complete && observed.completeInputs().isPresent());
    return observed;
  }

  /** When to look again although nothing happened: of own writes no event tells. */
  private Optional<Duration> nextLook(
      PoolObserved observed, SchedulerPoolStatus status, Optional<Instant> pausedUntil) {
    Instant now = clock.instant();
    if (pausedUntil.isPresent()) {
      return pausedUntil
          .filter(until -> until.isBefore(Instant.MAX))
          .map(until -> NextPass.after(now, until));
    }
    if (observed.missing().isPresent()) {
      return Optional.of(MISSING_RECHECK);
    }
    Optional<Instant> standIn =
        PoolObserver.policy(
                observed.pool(), status, observed.fallback(), observed.view(), observed.pods())
            .next();
    return Stream.concat(observed.nextChange().stream(), standIn.stream())
        .min(Comparator.naturalOrder())
        .map(at -> NextPass.after(now, at));
  }

  @Override
  public ErrorStatusUpdateControl<SchedulerPool> updateErrorStatus(
      SchedulerPool pool, Context<SchedulerPool> context, Exception failure) {
    SchedulerPoolStatus failed = new PoolStatusReporter(pool, clock).failed(Refusals.of(failure));
    return failed.equals(pool.getStatus())
        ? ErrorStatusUpdateControl.noStatusUpdate()
        : ErrorStatusUpdateControl.patchStatus(statuses.patch(pool, failed));
  }

  /** What runs goes with its owner; only what the operator itself has open is closed here. */
  @Override
  public DeleteControl cleanup(SchedulerPool pool, Context<SchedulerPool> context) {
    probe.forget(pool.getMetadata().getUid());
    metrics.forget(pool.getMetadata().getUid());
    return DeleteControl.defaultDelete();
  }

  @Override
  public List<EventSource<?, SchedulerPool>> prepareEventSources(
      EventSourceContext<SchedulerPool> context) {
    return List.of(pods(context), controlPlanes(context), secrets(context), views(context));
  }

  private static EventSource<?, SchedulerPool> pods(EventSourceContext<SchedulerPool> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Pod.class, SchedulerPool.class)
            .withName("pool-pods")
            .withItemStore(new SharedItems<>())
            .withLabelSelector(PoolNames.SELECTOR)
            .withSecondaryToPrimaryMapper(
                pod ->
                    Set.of(
                        new ResourceID(
                            pod.getMetadata().getLabels().get(PoolNames.POOL_LABEL),
                            pod.getMetadata().getNamespace())))
            .build(),
        context);
  }

  private static EventSource<?, SchedulerPool> controlPlanes(
      EventSourceContext<SchedulerPool> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(ControlPlane.class, SchedulerPool.class)
            .withName("pool-control-planes")
            .withItemStore(new SharedItems<>())
            .withPrimaryToSecondaryMapper(
                (SchedulerPool pool) ->
                    pool.getSpec().controlPlaneRef() == null
                        ? Set.of()
                        : Set.of(
                            new ResourceID(
                                pool.getSpec().controlPlaneRef().name(),
                                pool.getMetadata().getNamespace())))
            .withSecondaryToPrimaryMapper(
                controlPlane ->
                    context
                        .getPrimaryCache()
                        .list(
                            controlPlane.getMetadata().getNamespace(),
                            pool ->
                                pool.getSpec().controlPlaneRef() != null
                                    && pool.getSpec()
                                        .controlPlaneRef()
                                        .name()
                                        .equals(controlPlane.getMetadata().getName()))
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()))
            .build(),
        context);
  }

  /** Its own, and the one with which it comes to its cluster, which another has made. */
  private static EventSource<?, SchedulerPool> secrets(EventSourceContext<SchedulerPool> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Secret.class, SchedulerPool.class)
            .withName("pool-secrets")
            .withItemStore(new SharedItems<>())
            .withLabelSelector(Names.MANAGED_BY_SELECTOR)
            .withPrimaryToSecondaryMapper(
                (SchedulerPool pool) ->
                    secretNames(pool).stream()
                        .map(name -> new ResourceID(name, pool.getMetadata().getNamespace()))
                        .collect(Collectors.toSet()))
            .withSecondaryToPrimaryMapper(
                secret ->
                    context
                        .getPrimaryCache()
                        .list(
                            secret.getMetadata().getNamespace(),
                            pool -> secretNames(pool).contains(secret.getMetadata().getName()))
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()))
            .build(),
        context);
  }

  private static Set<String> secretNames(SchedulerPool pool) {
    PoolNames names = new PoolNames(pool);
    return Set.of(PoolTarget.secretOf(pool), names.treeCa(), names.treeSecret());
  }

  private EventSource<?, SchedulerPool> views(EventSourceContext<SchedulerPool> context) {
    return ProbeSource.of(
        PoolView.class,
        new ProbeSource.Settings<>(
            "pool-views", probe::look, _ -> true, _ -> true, PoolProbe.PERIOD),
        context);
  }
}
