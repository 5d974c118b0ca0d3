// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodeAgentsSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.operator.nodepool.agents.AgentPlan;
import io.exaplane.operator.nodepool.agents.PoolAgents;
import io.exaplane.operator.nodepool.agents.PoolAgents.Seen;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** Starts and ends the waves of agents. Thread-safe. */
@ApplicationScoped
public class AgentLooks {
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final PoolAgents agents;
  private final SimpleInboundEventSource<NodePool> changes =
      new SimpleInboundEventSource<>("node-pool-agents");

  AgentLooks(PoolAgents agents) {
    this.agents = agents;
  }

  /** What is known of a pool's agents. Without agents nobody looks, unless some are to go back. */
  Seen look(PoolObserved observed) {
    if (observed.controlPlane().isEmpty()) {
      return Seen.NOTHING;
    }
    String uid = observed.controlPlane().get().getMetadata().getUid();
    if (observed.isPaused() || !observed.hasAgents()) {
      agents.forget(uid);
      return Seen.NOTHING;
    }
    if (!observed.isUnavailable()) {
      follow(observed.controlPlane().get(), observed.agents());
    }
    String pool = observed.pool().getMetadata().getName();
    if (!lists(observed) && listed(observed.pool())) {
      agents.leave(uid, pool);
    }
    return agents.seen(uid, pool);
  }

  private static boolean lists(PoolObserved observed) {
    return !NodeAgentsSpec.of(observed.pool().getSpec().agents()).daemonSets().isEmpty();
  }

  /** Whether the pool listed agents, as far as its status tells. */
  private static boolean listed(NodePool pool) {
    return pool.getStatus() != null
        && pool.getStatus().conditions() != null
        && pool.getStatus().conditions().stream()
            .anyMatch(each -> each.type().equals(NodePoolCondition.AgentsUpToDate.name()));
  }

  /** When to look again although nobody tells: what was begun has not told yet. */
  static Optional<Duration> nextLook(PoolObserved observed, Seen seen) {
    boolean isDone =
        lists(observed)
            ? seen.waves().isPresent()
            : observed.agents().equals(AgentPlan.NONE)
                ? seen.isGivenBack()
                : seen.policyProblem().isPresent() && seen.isGivenBack();
    return observed.hasAgents() && !observed.isPaused() && observed.running().isPresent() && !isDone
        ? Optional.of(AGAIN)
        : Optional.empty();
  }

  /**
   * A pool is being deleted: its DaemonSets get their own strategy back, also while the
   * ControlPlane is paused, since the person asks for that.
   *
   * @return why that is not done yet
   */
  Optional<String> leave(PoolObserved observed) {
    if (observed.controlPlane().isEmpty() || !observed.hasAgents()) {
      return Optional.empty();
    }
    ControlPlane controlPlane = observed.controlPlane().get();
    String uid = controlPlane.getMetadata().getUid();
    String pool = observed.pool().getMetadata().getName();
    if (!observed.isUnavailable()) {
      follow(controlPlane, observed.agents());
      agents.leave(uid, pool);
    }
    Seen seen = agents.seen(uid, pool);
    if (!seen.isGivenBack()) {
      return Optional.of("its DaemonSets do not have their own updateStrategy again");
    }
    if (observed.agents().equals(AgentPlan.NONE)) {
      agents.forget(uid);
    }
    return Optional.empty();
  }

  private void follow(ControlPlane controlPlane, AgentPlan plan) {
    String namespace = controlPlane.getMetadata().getNamespace();
    agents.follow(
        controlPlane.getMetadata().getUid(),
        plan,
        pool -> changes.propagateEvent(new ResourceID(pool, namespace)));
  }

  /** What changed of agents brings the reconciler back. */
  EventSource<?, NodePool> changes() {
    return changes;
  }
}
