// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.cache.SharedItems;
import io.exaplane.operator.config.BundleMetadata;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.dependent.PodReplacer;
import io.exaplane.operator.dependent.UserChange;
import io.exaplane.operator.metrics.InformerMetrics;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.probe.ProbeSource;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.StatusWriter;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.claim.ClaimKeeper;
import io.exaplane.operator.storeshard.dependent.StoreBundle;
import io.exaplane.operator.storeshard.dependent.StoreDisruptionBudget;
import io.exaplane.operator.storeshard.dependent.StorePins;
import io.exaplane.operator.storeshard.dependent.StoreRecord;
import io.exaplane.operator.storeshard.dependent.StoreService;
import io.exaplane.operator.storeshard.dependent.StoreStatefulSet;
import io.exaplane.operator.storeshard.gate.NeedsRecord;
import io.exaplane.operator.storeshard.gate.StoreMayStart;
import io.exaplane.operator.storeshard.restart.StoreRestarts;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.exaplane.operator.storeshard.status.StoreStatusReporter;
import io.exaplane.operator.storeshard.usage.StoreProbe;
import io.exaplane.operator.storeshard.usage.StoreUsage;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs one store. The order: Service, then (by whoever owns the store's CA) a certificate for its
 * address, then the StatefulSet.
 */
@Workflow(
    explicitInvocation = true,
    handleExceptionsInReconciler = true,
    dependents = {
      @Dependent(
          name = StoreShardReconciler.SERVICE,
          type = StoreService.class,
          readyPostcondition = StoreMayStart.class),
      @Dependent(type = StoreStatefulSet.class, dependsOn = StoreShardReconciler.SERVICE),
      @Dependent(type = StoreDisruptionBudget.class),
      @Dependent(
          type = StoreRecord.class,
          reconcilePrecondition = NeedsRecord.class,
          useEventSourceWithName = StoreShardReconciler.CONFIG_MAPS),
      @Dependent(
          type = StoreBundle.class,
          useEventSourceWithName = StoreShardReconciler.CONFIG_MAPS)
    })
@ControllerConfiguration(
    name = StoreShardReconciler.NAME,
    generationAwareEventProcessing = false,
    informer = @Informer(onUpdateFilter = UserChange.class))
@CSVMetadata(bundleName = BundleMetadata.NAME)
@AdditionalRBACRules({
  @RBACRule(
      apiGroups = "apps",
      resources = "statefulsets",
      verbs = {"get", "list", "watch", "create", "patch", "update", "delete"}),
  @RBACRule(
      apiGroups = "",
      resources = "persistentvolumeclaims",
      verbs = {"get", "list", "watch"}),
  // Deleted when a person accepted a loss: a pod that is held asks again only after minutes.
  // Patched with a new image, when the pod's data would go with it.
  @RBACRule(
      apiGroups = "",
      resources = "pods",
      verbs = {"get", "list", "watch", "patch", "delete"}),
  // Why a StatefulSet makes no pod.
  @RBACRule(apiGroups = "", resources = "events", verbs = "list"),
  // Whose data they hold, and with whom they go. Where an admission plugin guards owner references,
  // who sets one must be allowed to delete the claim, and to update the finalizers of its owner.
  // The operator does neither.
  @RBACRule(
      apiGroups = "",
      resources = "persistentvolumeclaims",
      verbs = {"patch", "delete"}),
  // The objects of io.exaplane.operator.install; the bundle's build puts their names in.
  @RBACRule(
      apiGroups = "admissionregistration.k8s.io",
      resources = {"validatingadmissionpolicies", "validatingadmissionpolicybindings"},
      verbs = {"create", "get", "patch"}),
  @RBACRule(
      apiGroups = "scheduling.k8s.io",
      resources = "priorityclasses",
      verbs = {"create", "get", "patch"}),
})
@GradualRetry(maxAttempts = Integer.MAX_VALUE, initialInterval = 1000, maxInterval = 60_000)
public class StoreShardReconciler implements Reconciler<StoreShard> {
  public static final String NAME = "storeshard";
  static final String SERVICE = "store-service";
  static final String CONFIG_MAPS = "store-config-maps";
  private static final Set<String> BAD = Set.of();

  private static final Duration PROBE_PERIOD = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofMillis(100);

  /**
   * No event tells that a claim of somebody else's is gone, which has none of our labels, or what
   * becomes of a node.
   */
  private static final Duration RECHECK = Duration.ofSeconds(10);

  private static final Duration LONGEST_RECHECK = Duration.ofMinutes(2);

  /**
   * No event tells that a StorageClass, or a quota, lets a claim grow now, or that a store has been
   * silent for long.
   */
  private static final Duration CLAIM_RECHECK = Duration.ofMinutes(1);

  private final StatusWriter<StoreShardStatus, StoreShard> statuses;
  private final EventRecorder events;
  private final StoreProbe probe;
  private final ClaimKeeper claims;
  private final OperatorConfig config;
  private final StorePins pins;
  private final InformerMetrics metrics;
  private final Clock clock;

  StoreShardReconciler(
      EventRecorder events,
      StoreProbe probe,
      ClaimKeeper claims,
      OperatorConfig config,
      StorePins pins,
      InformerMetrics metrics,
      Clock clock) {
    this.config = config;
    this.events = events;
    this.pins = pins;
    this.statuses = new StatusWriter<>(StoreShard::new, BAD, events);
    this.probe = probe;
    this.claims = claims;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public UpdateControl<StoreShard> reconcile(StoreShard shard, Context<StoreShard> context) {
    Outcomes outcomes = Outcomes.of(context);
    outcomes.run(context);
    outcomes.attempt(() -> claims.record(shard, context));
    outcomes.attempt(() -> claims.own(shard, context));
    Optional<ClaimGrowth> growth = outcomes.attempt(() -> claims.grow(shard, context));
    growth.ifPresent(known -> known.share(context));
    outcomes.attempt(() -> StorePodWrites.release(shard, context));
    StorePins.Pinned pinned = pins.of(shard, context);
    outcomes.attempt(() -> StorePodWrites.restartInPlace(shard, pinned.moves(), context));
    StoreStatusReporter reporter =
        new StoreStatusReporter(shard, context, newestImage(shard, config), pinned.update(), clock);
    reporter.heard(probe.heard(shard.getMetadata().getUid()));
    RestartPlan restarts =
        PodReplacer.allowed(
            shard, true, mayReplace -> restarts(shard, mayReplace, context), context);
    StoreShardStatus status = reporter.status(restarts);
    UpdateControl<StoreShard> done = UpdateControl.noUpdate();
    if (!reporter.serves()) {
      done.rescheduleAfter(recheck(reporter.unreadySince()));
    } else if (growth.filter(ClaimGrowth::isStuck).isPresent() || isSilent(shard, context)) {
      done.rescheduleAfter(CLAIM_RECHECK);
    }
    outcomes.nextAttempt().ifPresent(done::rescheduleAfter);
    soonest(
            context,
            done.getScheduleDelay(),
            Stream.of(restarts.nextLook(), pinned.update().untilWindow(clock.instant())))
        .ifPresent(done::rescheduleAfter);
    if (status.equals(shard.getStatus())) {
      return done;
    }
    if (!statuses.write(shard, status, reporter.changes(), context)) {
      outcomes.nextAttempt().ifPresent(done::rescheduleAfter);
      return done;
    }
    PodReplacer.replace(shard, Optional.of(restarts), context, events);
    // Our own write brings no event, and the ConfigMap is rendered from status.
    return isToldAlready(shard.getStatus(), status) ? done : done.rescheduleAfter(SOON);
  }

  /**
   * The soonest of several looks, if it is sooner than the regular interval, whose place it takes.
   *
   * @param due in how many milliseconds a look is due already
   */
  static Optional<Duration> soonest(
      Context<StoreShard> context, Optional<Long> due, Stream<Optional<Duration>> looks) {
    return looks
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .filter(look -> NextPass.isSooner(look, context))
        .filter(look -> due.filter(delay -> delay < look.toMillis()).isEmpty());
  }

  private RestartPlan restarts(StoreShard shard, boolean mayReplace, Context<StoreShard> context) {
    return StoreRestarts.plan(
        shard,
        OwnSet.of(shard, context),
        context.getSecondaryResource(Pod.class),
        context.getSecondaryResource(Secret.class),
        mayReplace,
        clock.instant());
  }

  private static boolean isSilent(StoreShard shard, Context<StoreShard> context) {
    return StoreProbe.applies(shard) && context.getSecondaryResource(StoreUsage.class).isEmpty();
  }

  /** Who has waited long is looked at less often. */
  private Duration recheck(Instant since) {
    Duration part = Duration.between(since, clock.instant()).dividedBy(6);
    return part.compareTo(RECHECK) < 0
        ? RECHECK
        : part.compareTo(LONGEST_RECHECK) > 0 ? LONGEST_RECHECK : part;
  }

  private static boolean isToldAlready(StoreShardStatus before, StoreShardStatus now) {
    return before != null
        && Objects.equals(before.revisionFloor(), now.revisionFloor())
        && Objects.equals(before.dataId(), now.dataId())
        && Objects.equals(before.dataLoss(), now.dataLoss());
  }

  /** What this operator has for a store. */
  static String newestImage(StoreShard shard, OperatorConfig config) {
    Images images = new Images(config, shard.getSpec().images());
    return switch (shard.getSpec().engine()) {
      case Memory -> images.store();
      case Etcd -> images.etcd();
    };
  }

  @Override
  public ErrorStatusUpdateControl<StoreShard> updateErrorStatus(
      StoreShard shard, Context<StoreShard> context, Exception failure) {
    StoreShardStatus failed = StoreStatusReporter.failed(shard, Refusals.of(failure), clock);
    return failed.equals(shard.getStatus())
        ? ErrorStatusUpdateControl.noStatusUpdate()
        : ErrorStatusUpdateControl.patchStatus(statuses.patch(shard, failed));
  }

  @Override
  public List<EventSource<?, StoreShard>> prepareEventSources(
      EventSourceContext<StoreShard> context) {
    metrics.countShards(() -> context.getPrimaryCache().list());
    EventSource<Pod, StoreShard> pods = byLabel(Pod.class, "store-pods", context);
    InformerEventSource<Secret, StoreShard> secrets = tlsSecrets(context);
    return List.of(
        configMaps(context),
        pods,
        byLabel(PersistentVolumeClaim.class, "store-claims", context),
        secrets,
        usage(pods, secrets, context));
  }

  /** Two dependents share them. */
  private static EventSource<?, StoreShard> configMaps(EventSourceContext<StoreShard> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(ConfigMap.class, StoreShard.class)
            .withName(CONFIG_MAPS)
            .withLabelSelector(StoreNames.SELECTOR)
            .build(),
        context);
  }

  private EventSource<?, StoreShard> usage(
      EventSource<Pod, StoreShard> pods,
      InformerEventSource<Secret, StoreShard> secrets,
      EventSourceContext<StoreShard> context) {
    return ProbeSource.of(
        StoreUsage.class,
        new ProbeSource.Settings<>(
            "store-usage",
            shard ->
                probe.ask(
                    shard,
                    pods.getSecondaryResources(shard),
                    name -> secrets.get(new ResourceID(name, shard.getMetadata().getNamespace()))),
            _ -> true,
            StoreProbe::applies,
            PROBE_PERIOD),
        context);
  }

  /** Objects that Kubernetes' own controllers own and that carry the store's name as a label. */
  private static <R extends HasMetadata> EventSource<R, StoreShard> byLabel(
      Class<R> type, String name, EventSourceContext<StoreShard> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(type, StoreShard.class)
            .withName(name)
            .withItemStore(new SharedItems<>())
            .withLabelSelector(StoreNames.SELECTOR)
            .withSecondaryToPrimaryMapper(
                object ->
                    Set.of(
                        new ResourceID(
                            object.getMetadata().getLabels().get(StoreNames.SHARD_LABEL),
                            object.getMetadata().getNamespace())))
            .build(),
        context);
  }

  /**
   * The Secrets that stores' specs name, and those of the CAs of stores. The label keeps the
   * namespace's other Secrets out of memory; who makes such a Secret by hand sets it, as the
   * field's description says.
   */
  private static InformerEventSource<Secret, StoreShard> tlsSecrets(
      EventSourceContext<StoreShard> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Secret.class, StoreShard.class)
            .withName("store-tls-secrets")
            .withItemStore(new SharedItems<>())
            .withLabelSelector(Names.MANAGED_BY_SELECTOR)
            .withPrimaryToSecondaryMapper(
                (StoreShard shard) ->
                    Set.of(
                        new ResourceID(
                            shard.getSpec().tls().secretRef().name(),
                            shard.getMetadata().getNamespace())))
            .withSecondaryToPrimaryMapper(
                secret ->
                    context
                        .getPrimaryCache()
                        .list(
                            shard ->
                                shard
                                        .getSpec()
                                        .tls()
                                        .secretRef()
                                        .name()
                                        .equals(secret.getMetadata().getName())
                                    && shard
                                        .getMetadata()
                                        .getNamespace()
                                        .equals(secret.getMetadata().getNamespace()))
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()))
            .build(),
        context);
  }
}
