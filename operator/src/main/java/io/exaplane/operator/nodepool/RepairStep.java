// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The step of a pass that deletes Nodes whose hosts are gone. Thread-safe. */
final class RepairStep {
  private final NodeCalls calls;
  private final EventRecorder events;
  private final Clock clock;

  RepairStep(NodeCalls calls, EventRecorder events, Clock clock) {
    this.calls = calls;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Deletes Nodes that are due, at most as many as the counts name.
   *
   * @return what was decided; empty if the pool asks for no repair, or its nodes are not known
   */
  Optional<RepairPlan> carryOut(
      PoolObserved observed, Optional<NodeCounts> counts, Outcomes outcomes) {
    NodePool pool = observed.pool();
    if (pool.getSpec().repair() == null
        || observed.problem().isPresent()
        || observed.isPaused()
        || observed.running().isEmpty()
        || counts.isEmpty()) {
      return Optional.empty();
    }
    RepairPlan plan =
        RepairPlan.of(
            pool.getSpec().repair(),
            counts.get(),
            observed.isFrozen(),
            observed.isUnavailable(),
            clock.instant());
    if (!plan.due().isEmpty()) {
      delete(observed, plan, outcomes);
    }
    return Optional.of(plan);
  }

  private void delete(PoolObserved observed, RepairPlan plan, Outcomes outcomes) {
    NodePool pool = observed.pool();
    try {
      calls
          .delete(pool, observed.controlPlane().orElseThrow(), plan.due())
          .filter(names -> !names.isEmpty())
          .ifPresent(names -> events.tell(pool, news(pool, names)));
    } catch (KubernetesClientException e) {
      if (!Refusals.of(e).passes()) {
        outcomes.refused(e);
      }
    }
  }

  private static News news(NodePool pool, List<String> names) {
    return new News(
        false,
        Reason.NodeRemoved,
        "Deleted %s in the hosted cluster: silent for longer than spec.repair.removeAfterMinutes %d. If a host comes back, run 'join.sh' on it again."
            .formatted(
                (names.size() == 1 ? "Node " : "Nodes ") + String.join(", ", names),
                pool.getSpec().repair().removeAfterMinutes()));
  }

  /** When the next Node is due. */
  Optional<Duration> next(Optional<RepairPlan> plan) {
    return plan.filter(found -> found.hold().isEmpty())
        .flatMap(RepairPlan::next)
        // One that is due needs a second look, or another attempt.
        .map(
            due ->
                clock.instant().isBefore(due)
                    ? NextPass.after(clock.instant(), due)
                    : RepairPlan.STILL);
  }
}
