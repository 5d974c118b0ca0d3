// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.operator.config.BundleMetadata;
import io.exaplane.operator.dependent.UserChange;
import io.exaplane.operator.metrics.InformerMetrics;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.agents.PoolAgents.Seen;
import io.exaplane.operator.nodepool.condition.Beating;
import io.exaplane.operator.nodepool.condition.Material;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.hosted.PoolTokens;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.nodepool.observe.PoolObserver;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.exaplane.operator.nodepool.status.NodePoolStatusReporter;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
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
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
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
import java.util.stream.Stream;

/**
 * Keeps what hosts join a hosted cluster with, and tells of the nodes that did. A second look at
 * the same state writes nothing.
 */
@ControllerConfiguration(
    name = NodePoolReconciler.NAME,
    generationAwareEventProcessing = false,
    informer = @Informer(onUpdateFilter = UserChange.class))
@CSVMetadata(bundleName = BundleMetadata.NAME)
@AdditionalRBACRules({
  @RBACRule(
      apiGroups = Names.GROUP,
      resources = "controlplanes",
      verbs = {"get", "list", "watch"}),
  // The join Secret; and, to read, the kubeconfig of the ControlPlane's administrator.
  @RBACRule(
      apiGroups = "",
      resources = "secrets",
      verbs = {"get", "list", "watch", "create", "patch"}),
  @RBACRule(apiGroups = "", resources = "configmaps", verbs = "get"),
  @RBACRule(apiGroups = "apps", resources = "deployments", verbs = "get")
})
@GradualRetry(maxAttempts = Integer.MAX_VALUE, initialInterval = 1000, maxInterval = 60_000)
public class NodePoolReconciler implements Reconciler<NodePool>, Cleaner<NodePool> {
  public static final String NAME = "nodepool";
  private static final Duration WHILE_WAITING = Duration.ofSeconds(10);

  private final PoolObserver observer;
  private final PoolTokens tokens;
  private final NodeLooks nodes;
  private final NodeCalls calls;
  private final HeartbeatStep heartbeats;
  private final RepairStep repairs;
  private final UpgradeStep upgrades;
  private final AgentLooks agents;
  private final JoinStep join;
  private final PoolRemoval removal;
  private final StatusWriter<NodePoolStatus, NodePool> statuses;
  private final InformerMetrics metrics;
  private final Clock clock;

  NodePoolReconciler(
      PoolObserver observer,
      PoolTokens tokens,
      NodeLooks nodes,
      NodeCalls calls,
      AgentLooks agents,
      EventRecorder events,
      InformerMetrics metrics,
      Clock clock) {
    this.observer = observer;
    this.tokens = tokens;
    this.nodes = nodes;
    this.calls = calls;
    this.heartbeats = new HeartbeatStep(calls, clock);
    this.repairs = new RepairStep(calls, events, clock);
    this.upgrades = new UpgradeStep(calls, events, clock);
    this.agents = agents;
    this.join = new JoinStep(tokens, events);
    this.removal = new PoolRemoval(tokens, events, clock);
    this.statuses = new StatusWriter<>(NodePool::new, Set.of(), events);
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public UpdateControl<NodePool> reconcile(NodePool pool, Context<NodePool> context) {
    PoolObserved observed = observe(pool, context);
    if (isNew(pool)) {
      tellSiblings(pool, context);
    }
    Outcomes outcomes = Outcomes.of(context);
    // First, since the next step may wait: a later pass of another pool has a newer plan.
    Optional<NodeCounts> counts = nodes.look(observed);
    Material material = join.carryOut(observed, context.getClient(), outcomes);
    Optional<Beating> beating = heartbeats.carryOut(observed, counts, outcomes);
    Optional<RepairPlan> repair = repairs.carryOut(observed, counts, outcomes);
    Optional<UpgradePlan> upgrade =
        upgrades.carryOut(observed, () -> nodes.turns(observed), outcomes);
    NodePoolStatusReporter reporter = new NodePoolStatusReporter(pool, clock);
    Seen seen = agents.look(observed);
    reporter.heartbeats(beating);
    reporter.repair(repair);
    reporter.upgrade(upgrade);
    NodePoolStatus status = reporter.status(observed, material, counts, seen, outcomes.refusals());
    statuses.write(pool, status, reporter.changes(), context);
    UpdateControl<NodePool> control = UpdateControl.noUpdate();
    Stream.of(
            nextLook(pool, observed, material),
            nodes(observed, counts),
            heartbeats.next(beating),
            repairs.next(repair),
            upgrades.next(pool, upgrade),
            AgentLooks.nextLook(observed, seen),
            outcomes.nextAttempt(),
            reporter.untilPatienceEnds())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .filter(left -> NextPass.isSooner(left, context))
        .ifPresent(control::rescheduleAfter);
    return control;
  }

  private static boolean isNew(NodePool pool) {
    return pool.getStatus() == null
        || !Objects.equals(
            pool.getStatus().observedGeneration(), pool.getMetadata().getGeneration());
  }

  /** A younger pool may be refused for this one's sake, or no longer. */
  private void tellSiblings(NodePool pool, Context<NodePool> context) {
    String controlPlane = pool.getSpec().controlPlaneRef().name();
    context
        .getPrimaryCache()
        .list(pool.getMetadata().getNamespace())
        .filter(other -> other.getSpec().controlPlaneRef().name().equals(controlPlane))
        .filter(other -> !other.getMetadata().getName().equals(pool.getMetadata().getName()))
        .forEach(nodes::bring);
  }

  private PoolObserved observe(NodePool pool, Context<NodePool> context) {
    return observer.observe(
        pool,
        context.getSecondaryResource(ControlPlane.class),
        context.getPrimaryCache().list(pool.getMetadata().getNamespace()),
        context.getClient());
  }

  /** Nobody looks at the nodes while the ControlPlane's passes have no connection. */
  private static Optional<Duration> nodes(PoolObserved observed, Optional<NodeCounts> counts) {
    return counts.isEmpty()
            && !observed.isPaused()
            && observed.controlPlane().isPresent()
            && observed.running().isPresent()
        ? Optional.of(WHILE_WAITING)
        : Optional.empty();
  }

  /** When to look again although nothing happened. */
  private Optional<Duration> nextLook(NodePool pool, PoolObserved observed, Material material) {
    Instant now = clock.instant();
    if (material.missing().isEmpty()) {
      return material
          .secret()
          .map(secret -> NextPass.after(now, PoolTokens.renewal(pool, secret.expires())));
    }
    Optional<Duration> end =
        material
            .secret()
            .map(Material.Written::expires)
            .filter(now::isBefore)
            .map(expires -> NextPass.after(now, expires));
    Optional<Duration> pause =
        observed
            .pausedUntil()
            .filter(until -> until.isBefore(Instant.MAX))
            .map(until -> NextPass.after(now, until));
    Optional<Duration> again =
        observed.problem().isPresent() || observed.isPaused()
            ? Optional.empty()
            : Optional.of(WHILE_WAITING);
    return Stream.of(end, pause, again).flatMap(Optional::stream).min(Comparator.naturalOrder());
  }

  @Override
  public ErrorStatusUpdateControl<NodePool> updateErrorStatus(
      NodePool pool, Context<NodePool> context, Exception failure) {
    NodePoolStatus failed = new NodePoolStatusReporter(pool, clock).failed(Refusals.of(failure));
    return failed.equals(pool.getStatus())
        ? ErrorStatusUpdateControl.noStatusUpdate()
        : ErrorStatusUpdateControl.patchStatus(statuses.patch(pool, failed));
  }

  /** The Secret goes with its owner, and the tokens with it; nodes stay. */
  @Override
  public DeleteControl cleanup(NodePool pool, Context<NodePool> context) {
    PoolObserved observed = observe(pool, context);
    Optional<String> held = agents.leave(observed);
    Optional<String> upgrading = upgrades.leave(observed, () -> nodes.turns(observed));
    nodes.leave(observed);
    tellSiblings(pool, context);
    NodePoolStatusReporter reporter = new NodePoolStatusReporter(pool, clock);
    Optional<PoolRemoval.Wait> wait = removal.wait(pool, observed.controlPlane(), held, upgrading);
    if (wait.isPresent()) {
      NodePoolStatus status = reporter.removing(wait.get().why());
      statuses.write(pool, status, reporter.changes(), context);
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(wait.get().again());
    }
    tokens.forget(pool);
    calls.forget(pool);
    return DeleteControl.defaultDelete();
  }

  @Override
  public List<EventSource<?, NodePool>> prepareEventSources(EventSourceContext<NodePool> context) {
    metrics.countPools(() -> context.getPrimaryCache().list());
    return List.of(
        NodePoolSources.controlPlanes(context),
        NodePoolSources.secrets(context),
        tokens.answers(),
        calls.answers(),
        nodes.changes(),
        agents.changes());
  }
}
