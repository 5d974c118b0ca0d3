// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.nodepool.upgrade.Turn;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The step of a pass that drains nodes with an older kubelet, or of hosts with another prefix, a
 * few at a time. Thread-safe.
 */
final class UpgradeStep {
  private static final int MOST_NAMES = 10;

  /** While nodes are drained; the pods of a node take longer to leave. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** While nodes wait for room. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final NodeCalls calls;
  private final EventRecorder events;
  private final Clock clock;

  UpgradeStep(NodeCalls calls, EventRecorder events, Clock clock) {
    this.calls = calls;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Does what is due.
   *
   * @param look gives the pool's nodes, if they are known, out of memory
   * @return what was decided; empty if there is nothing to decide, or the nodes are not known
   */
  Optional<UpgradePlan> carryOut(
      PoolObserved observed, Supplier<Optional<List<NodeTurn>>> look, Outcomes outcomes) {
    NodePool pool = observed.pool();
    NodeUpgradeSpec spec = pool.getSpec().upgrade();
    if (observed.problem().isPresent() || observed.isPaused() || observed.running().isEmpty()) {
      return Optional.empty();
    }
    Optional<List<NodeTurn>> nodes = look.get();
    if (nodes.isEmpty() || spec == null && !mayHaveSome(pool, nodes.get())) {
      return Optional.empty();
    }
    UpgradePlan plan =
        UpgradePlan.of(
            new UpgradePlan.Input(
                Optional.ofNullable(spec).map(NodeUpgradeSpec::filled),
                observed.version().orElseThrow(),
                nodes.get(),
                calls.drains(pool),
                calls.away(pool, nodes.get()),
                observed.holdOnDrains(),
                clock.instant()));
    if (!plan.acts().isEmpty() && !observed.isUnavailable()) {
      calls
          .upgrade(pool, observed.controlPlane().orElseThrow(), plan.acts())
          .ifPresent(outcomes::refused);
    }
    List<String> returned = calls.takeReturned(pool);
    if (!returned.isEmpty()) {
      events.tell(pool, news(plan, returned));
    }
    if (spec == null && plan.going().isEmpty() && !observed.isUnavailable()) {
      giveBack(observed, outcomes);
    }
    return Optional.of(plan);
  }

  private static Optional<NodePoolStatus.Upgrade> before(NodePool pool) {
    return Optional.ofNullable(pool.getStatus()).map(NodePoolStatus::upgrade);
  }

  /**
   * Whether nodes may have begun a turn although the pool does not ask for that. The annotation is
   * what counts: a status does not have those that a late call cordons.
   */
  private boolean mayHaveSome(NodePool pool, List<NodeTurn> nodes) {
    return before(pool).isPresent() || calls.hasTurns(pool) || hasSome(nodes);
  }

  private boolean hasSome(List<NodeTurn> nodes) {
    Instant now = clock.instant();
    return nodes.stream().anyMatch(node -> Turn.parse(node.upgrade(), now).isPresent());
  }

  /** The watch may be behind the last writes of this operator, so the API is asked once. */
  private void giveBack(PoolObserved observed, Outcomes outcomes) {
    NodePool pool = observed.pool();
    if (calls.hasTurns(pool)) {
      try {
        calls.giveBack(pool, observed.controlPlane().orElseThrow());
      } catch (KubernetesClientException e) {
        outcomes.refused(e);
      }
    }
  }

  private static News news(UpgradePlan plan, List<String> names) {
    String rest =
        names.size() > MOST_NAMES ? " and %d more".formatted(names.size() - MOST_NAMES) : "";
    return new News(
        false,
        Reason.NodeReturned,
        "The upgrade to %s is over for %s %s%s."
            .formatted(
                plan.version(),
                names.size() == 1 ? "node" : "nodes",
                String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size()))),
                rest));
  }

  /** When to look again. */
  Optional<Duration> next(NodePool pool, Optional<UpgradePlan> plan) {
    boolean isLeaving = pool.getSpec().upgrade() == null && calls.hasTurns(pool);
    return plan.flatMap(
        found ->
            isLeaving || !found.going().isEmpty() || !found.acts().isEmpty()
                ? Optional.of(LOOK)
                : found.outdated() + found.moving() > 0 ? Optional.of(WAIT) : Optional.empty());
  }

  /**
   * A pool is being deleted: its nodes that are being upgraded take pods again.
   *
   * @param look gives the pool's nodes, if they are known, out of memory
   * @return why that is not done yet
   */
  Optional<String> leave(PoolObserved observed, Supplier<Optional<List<NodeTurn>>> look) {
    NodePool pool = observed.pool();
    // A node of which the last pass began the turn is in no status yet.
    boolean mayHaveSome =
        before(pool).filter(all -> all.nodes() != null || all.outdated() > 0).isPresent()
            || pool.getSpec().upgrade() == null && calls.hasTurns(pool)
            || look.get().filter(this::hasSome).isPresent();
    if (!mayHaveSome || observed.controlPlane().isEmpty()) {
      return Optional.empty();
    }
    try {
      return calls.giveBack(pool, observed.controlPlane().get()).orElse(false)
          ? Optional.empty()
          : Optional.of("nodes that are being upgraded do not take pods again yet");
    } catch (KubernetesClientException e) {
      return Optional.of(Refusals.of(e).why());
    }
  }
}
