// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The operator's own waves in one cluster, as those of a process. Thread-safe. */
public final class FollowedWaves implements AutoCloseable {
  private final FollowedAgents agents;

  private FollowedWaves(FollowedAgents agents) {
    this.agents = agents;
  }

  /** Begins as an operator that has just started. */
  public static FollowedWaves start(
      KubernetesClient client,
      Supplier<Optional<List<NodeSight>>> nodes,
      Supplier<Optional<GateReading>> gate,
      AgentPlan plan) {
    FollowedAgents agents = new FollowedAgents(client, nodes, gate, Clock.systemUTC());
    agents.plan(plan, _ -> {});
    return new FollowedWaves(agents);
  }

  public void plan(AgentPlan plan) {
    agents.plan(plan, _ -> {});
  }

  public Optional<WaveReport> report(String pool) {
    return agents.rounds().report(pool);
  }

  /** Why the policy is not in force; "" if it is. */
  public Optional<String> policyProblem() {
    return agents.rounds().policyProblem();
  }

  public boolean isGivenBack() {
    return agents.rounds().isGivenBack();
  }

  @Override
  public void close() {
    agents.close();
  }
}
