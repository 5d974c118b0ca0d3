// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.NodeAgentsSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.NodePoolStatus.Failure;
import io.exaplane.api.v1alpha1.NodePoolStatus.Heartbeats;
import io.exaplane.api.v1alpha1.NodePoolStatus.LeaseRenewals;
import io.exaplane.api.v1alpha1.NodePoolStatus.NodeVersion;
import io.exaplane.api.v1alpha1.NodePoolStatus.Nodes;
import io.exaplane.api.v1alpha1.NodePoolStatus.Prefixes;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.agents.PoolAgents.Seen;
import io.exaplane.operator.nodepool.agents.WaveReport;
import io.exaplane.operator.nodepool.condition.AddressesAssignedCondition;
import io.exaplane.operator.nodepool.condition.AgentPolicyInForceCondition;
import io.exaplane.operator.nodepool.condition.AgentsUpToDateCondition;
import io.exaplane.operator.nodepool.condition.Beating;
import io.exaplane.operator.nodepool.condition.ConfigurationValidCondition;
import io.exaplane.operator.nodepool.condition.HeartbeatsUpToDateCondition;
import io.exaplane.operator.nodepool.condition.JoinMaterialReadyCondition;
import io.exaplane.operator.nodepool.condition.Material;
import io.exaplane.operator.nodepool.condition.NodesReadyCondition;
import io.exaplane.operator.nodepool.condition.NodesRepairedCondition;
import io.exaplane.operator.nodepool.condition.NodesUpToDateCondition;
import io.exaplane.operator.nodepool.condition.Pause;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import io.exaplane.operator.status.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Tells a pool's status from what a pass found. Made for one reconciliation. */
public final class NodePoolStatusReporter {
  /** A kubelet renews its Lease after a quarter of the duration. */
  private static final int RENEWALS = 4;

  private final NodePool pool;
  private final Optional<NodePoolStatus> before;
  private final ConditionSet conditions;
  private final Instant now;
  private Optional<Beating> beating = Optional.empty();
  private Optional<RepairPlan> repair = Optional.empty();
  private Optional<UpgradePlan> upgrade = Optional.empty();

  public NodePoolStatusReporter(NodePool pool, Clock clock) {
    this.pool = pool;
    this.before = Optional.ofNullable(pool.getStatus());
    this.now = clock.instant();
    this.conditions =
        new ConditionSet(
            before.map(NodePoolStatus::conditions).orElse(null),
            pool.getMetadata().getGeneration(),
            clock);
  }

  /** What is known of heartbeats; without it, what was known stays. */
  public void heartbeats(Optional<Beating> found) {
    beating = found;
  }

  /** What was decided of silent nodes; without it, what was known stays. */
  public void repair(Optional<RepairPlan> decided) {
    repair = decided;
  }

  /** What was decided of nodes with older kubelets; without it, what was known stays. */
  public void upgrade(Optional<UpgradePlan> decided) {
    upgrade = decided;
  }

  /**
   * The status as it should be; equal to the one there is when nothing changed.
   *
   * @param counts what is known of the nodes; without, what was known stays
   * @param agents what is known of the agents; without, what was known stays
   * @param refusals writes of the pass that were refused
   */
  public NodePoolStatus status(
      PoolObserved observed,
      Material material,
      Optional<NodeCounts> counts,
      Seen agents,
      List<Refusal> refusals) {
    conditions
        .set(
            NodePoolCondition.ConfigurationValid,
            ConfigurationValidCondition.of(observed.problem()))
        .setOrKeep(
            NodePoolCondition.JoinMaterialReady,
            JoinMaterialReadyCondition.of(
                material,
                now,
                conditions.previous(NodePoolCondition.JoinMaterialReady).isPresent()));
    boolean hasAddresses = pool.getSpec().addresses() != null;
    if (hasAddresses) {
      conditions.setOrKeep(
          NodePoolCondition.AddressesAssigned,
          unlessPaused(observed, counts.map(AddressesAssignedCondition::of)));
    }
    conditions.setOrKeep(
        NodePoolCondition.NodesReady,
        unlessPaused(
            observed,
            counts
                .map(all -> NodesReadyCondition.of(all, pool.getSpec().maxNodes()))
                .or(() -> unseen(observed))));
    conditions.setOrKeep(
        NodePoolCondition.HeartbeatsUpToDate,
        beating.map(found -> HeartbeatsUpToDateCondition.of(found, observed.controlPlaneName())));
    if (pool.getSpec().repair() != null) {
      conditions.setOrKeep(NodePoolCondition.NodesRepaired, repair.map(NodesRepairedCondition::of));
    }
    if (pool.getSpec().upgrade() != null) {
      conditions.setOrKeep(
          NodePoolCondition.NodesUpToDate,
          unlessPaused(observed, upgrade.map(NodesUpToDateCondition::of)));
    }
    reportAgents(observed, agents);
    RefusedWrites.report(
        conditions,
        NodePoolCondition.JoinMaterialReady,
        pool.getMetadata().getGeneration(),
        refusals);
    conditions.limitPatience(ConditionSet::since, this::lookAt);
    PoolToolConditions.derive(conditions);
    return new NodePoolStatus(
            pool.getMetadata().getGeneration(),
            observed
                .version()
                .filter(_ -> observed.problem().isEmpty())
                .or(() -> before.map(NodePoolStatus::version))
                .orElse(null),
            of(counts, NodePoolStatusReporter::nodes, NodePoolStatus::nodes),
            of(counts, NodePoolStatusReporter::failures, NodePoolStatus::failures),
            hasAddresses
                ? of(counts, NodePoolStatusReporter::prefixes, NodePoolStatus::prefixes)
                : null,
            of(counts, NodePoolStatusReporter::versions, NodePoolStatus::versions),
            of(
                counts,
                all -> renewals(all, observed.kubelet().leaseSeconds()),
                NodePoolStatus::leaseRenewalsPerSecond),
            material
                .secret()
                .map(
                    secret ->
                        new NodePoolStatus.JoinSecret(secret.name(), secret.expires().toString()))
                .orElse(null),
            conditions.build())
        .withHeartbeats(
            beating
                .map(NodePoolStatusReporter::heartbeats)
                .or(() -> before.map(NodePoolStatus::heartbeats))
                .orElse(null))
        .withAgents(
            listsAgents()
                ? agents
                    .waves()
                    .map(NodePoolStatusReporter::agents)
                    .or(() -> before.map(NodePoolStatus::agents))
                    .orElse(null)
                : null)
        .withUpgrade(
            upgrade
                .map(UpgradeTexts::status)
                .or(() -> before.map(NodePoolStatus::upgrade))
                // Without the field, it is there as long as nodes are to take pods again.
                .filter(found -> pool.getSpec().upgrade() != null || found.nodes() != null)
                .orElse(null))
        .withAuthorities(
            beating.isPresent()
                ? beating.flatMap(Beating::trusting).map(TrustTexts::status).orElse(null)
                : before.map(NodePoolStatus::authorities).orElse(null));
  }

  private static Heartbeats heartbeats(Beating found) {
    return new Heartbeats(
        found.target().carried().leaseSeconds(),
        found.target().carried().updateSeconds(),
        found.target().carried().reportSeconds(),
        found.longestLease(),
        found.wave().map(Wave::percent).orElse(null),
        found.updated());
  }

  private boolean listsAgents() {
    return NodeAgentsSpec.of(pool.getSpec().agents()).daemonSets().size() > 0;
  }

  /** A condition of what is asked for no more stays until all is taken back. */
  private void reportAgents(PoolObserved observed, Seen agents) {
    if (listsAgents()) {
      conditions.setOrKeep(
          NodePoolCondition.AgentsUpToDate,
          unlessPaused(
              observed, agents.waves().map(found -> AgentsUpToDateCondition.of(pool, found))));
    } else if (observed.controlPlane().isPresent() && !agents.isGivenBack()) {
      conditions.keep(NodePoolCondition.AgentsUpToDate);
    }
    if (NodeAgentsSpec.of(pool.getSpec().agents()).admission() != null) {
      conditions.setOrKeep(
          NodePoolCondition.AgentPolicyInForce,
          observed
              .agents()
              .policy()
              .flatMap(
                  policy ->
                      agents
                          .policyProblem()
                          .map(problem -> AgentPolicyInForceCondition.of(policy, problem))));
    } else if (observed.controlPlane().isPresent() && !agents.isGivenBack()) {
      conditions.keep(NodePoolCondition.AgentPolicyInForce);
    }
  }

  private static List<NodePoolStatus.Agent> agents(WaveReport report) {
    return report.agents().stream()
        .map(
            agent ->
                new NodePoolStatus.Agent(
                    agent.ref().namespace(),
                    agent.ref().name(),
                    agent.nodes(),
                    agent.updated(),
                    agent.ready(),
                    agent.findings().isEmpty() ? null : agent.findings(),
                    agent.account().isEmpty() ? null : agent.account()))
        .toList();
  }

  /** A pause of the ControlPlane holds the looks at nodes up, too. */
  private static Optional<Verdict> unlessPaused(PoolObserved observed, Optional<Verdict> seen) {
    return observed.isPaused()
        ? Optional.of(
            Pause.nodes(
                observed.controlPlaneName(),
                observed.controlPlane().orElseThrow().getSpec().pausedUntil()))
        : seen;
  }

  private <T> T of(
      Optional<NodeCounts> counts,
      Function<NodeCounts, T> now,
      Function<NodePoolStatus, T> earlier) {
    return counts.map(now).or(() -> before.map(earlier)).orElse(null);
  }

  private static Nodes nodes(NodeCounts counts) {
    return new Nodes(
        counts.registered(),
        counts.ready(),
        counts.joining(),
        counts.failed(),
        counts.ready() + "/" + counts.registered());
  }

  private static Prefixes prefixes(NodeCounts counts) {
    boolean isKnown = counts.deliveries().isKnown();
    return new Prefixes(
        counts.prefixesUsed(),
        counts.prefixesInConflict(),
        isKnown ? counts.deliveries().routed() : null,
        isKnown ? counts.deliveries().onLink() : null);
  }

  /** Those in conflict first: nobody but a person can help them. */
  private static List<Failure> failures(NodeCounts counts) {
    List<Failure> all =
        Stream.concat(counts.conflicts().stream(), counts.failures().stream())
            .distinct()
            .limit(NodeCounts.MOST_FAILURES)
            .map(failure -> new Failure(failure.node(), failure.reason().name(), failure.message()))
            .toList();
    return all.isEmpty() ? null : all;
  }

  private static List<NodeVersion> versions(NodeCounts counts) {
    List<NodeVersion> all =
        counts.versions().entrySet().stream()
            .map(each -> new NodeVersion(each.getKey(), each.getValue()))
            .toList();
    return all.isEmpty() ? null : all;
  }

  private static LeaseRenewals renewals(NodeCounts counts, int leaseSeconds) {
    return new LeaseRenewals(Math.ceilDiv(counts.registered() * RENEWALS, leaseSeconds));
  }

  /** The last look failed and is tried again. */
  public NodePoolStatus failed(Refusal refusal) {
    for (NodePoolCondition each : NodePoolCondition.values()) {
      conditions.keep(each);
    }
    RefusedWrites.report(
        conditions,
        NodePoolCondition.JoinMaterialReady,
        pool.getMetadata().getGeneration(),
        List.of(refusal));
    return kept();
  }

  /** The pool is being deleted, and its tokens are not deleted yet. */
  public NodePoolStatus removing(Problem why) {
    for (NodePoolCondition each : NodePoolCondition.values()) {
      conditions.keep(each);
    }
    conditions.set(NodePoolCondition.JoinMaterialReady, Verdict.no(why.reason(), why.message()));
    return kept();
  }

  /** Of nodes that nobody can see, since their API does not answer; empty if there were none. */
  private Optional<Verdict> unseen(PoolObserved observed) {
    return before
        .map(NodePoolStatus::nodes)
        .filter(_ -> observed.isUnavailable())
        .map(nodes -> NodesReadyCondition.unseen(nodes.summary(), observed.controlPlaneName()));
  }

  private NodePoolStatus kept() {
    PoolToolConditions.derive(conditions);
    return new NodePoolStatus(
            before
                .map(NodePoolStatus::observedGeneration)
                .orElse(pool.getMetadata().getGeneration()),
            before.map(NodePoolStatus::version).orElse(null),
            before.map(NodePoolStatus::nodes).orElse(null),
            before.map(NodePoolStatus::failures).orElse(null),
            before.map(NodePoolStatus::prefixes).orElse(null),
            before.map(NodePoolStatus::versions).orElse(null),
            before.map(NodePoolStatus::leaseRenewalsPerSecond).orElse(null),
            before.map(NodePoolStatus::joinSecretRef).orElse(null),
            conditions.build())
        .withHeartbeats(before.map(NodePoolStatus::heartbeats).orElse(null))
        .withAgents(before.map(NodePoolStatus::agents).orElse(null))
        .withUpgrade(before.map(NodePoolStatus::upgrade).orElse(null))
        .withAuthorities(before.map(NodePoolStatus::authorities).orElse(null));
  }

  private String lookAt(Condition condition) {
    if (condition.type().equals(NodePoolCondition.HeartbeatsUpToDate.name())) {
      return "see docs/node-pools.md#heartbeats, and 'journalctl --unit exaplane-heartbeats' on"
          + " hosts that do not follow";
    }
    if (condition.type().equals(NodePoolCondition.NodesReady.name())) {
      return "see 'kubectl describe nodes -l %s=%s' in the hosted cluster, and what join.sh says on the hosts"
          .formatted(NodePoolNames.NODE_LABEL, pool.getMetadata().getName());
    }
    if (condition.type().equals(NodePoolCondition.NodesUpToDate.name())) {
      return "see status.upgrade.nodes, and docs/node-pools.md#upgrade-nodes";
    }
    if (condition.type().equals(NodePoolCondition.AgentsUpToDate.name())) {
      return "see 'kubectl get daemonsets,pods -A -o wide' in the hosted cluster";
    }
    return "see the conditions in 'kubectl -n %s describe cpl %s'"
        .formatted(pool.getMetadata().getNamespace(), pool.getSpec().controlPlaneRef().name());
  }

  /** How long until a message is to be another one; nothing when none waits for that. */
  public Optional<Duration> untilPatienceEnds() {
    return conditions.untilPatienceEnds();
  }

  /** Conditions that changed. */
  public List<Condition> changes() {
    return conditions.changes();
  }
}
