// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.hosted.GateReadings;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.nodepool.address.PoolNodes;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Follows the agents of all hosted clusters whose pools list some. Thread-safe; no method waits for
 * a hosted API.
 */
@ApplicationScoped
public class PoolAgents {
  private final HostedClusters clusters;
  private final PoolNodes nodes;
  private final GateReadings gates;
  private final Clock clock;

  PoolAgents(HostedClusters clusters, PoolNodes nodes, GateReadings gates, Clock clock) {
    this.clusters = clusters;
    this.nodes = nodes;
    this.gates = gates;
    this.clock = clock;
  }

  /**
   * What is known of a pool's agents. Immutable.
   *
   * @param waves empty before the first round, and for a pool that lists none
   * @param policyProblem why the policy is not in force; "" if it is, or none is wanted; empty
   *     before it was tried
   * @param isGivenBack whether nothing of an earlier plan is left
   */
  public record Seen(
      Optional<WaveReport> waves, Optional<String> policyProblem, boolean isGivenBack) {
    /** Nobody looks. */
    public static final Seen NOTHING = new Seen(Optional.empty(), Optional.empty(), false);
  }

  /**
   * Follows a cluster by a plan; the same once more does nothing. Nothing is followed until the
   * ControlPlane's passes opened the connection, and after it was closed.
   *
   * @param controlPlane UID of the ControlPlane
   * @param changed is told the name of a pool of which something changed; it must not wait
   */
  public void follow(String controlPlane, AgentPlan plan, Consumer<String> changed) {
    clusters
        .find(controlPlane)
        .flatMap(
            cluster ->
                cluster.attach(
                    FollowedAgents.class,
                    client ->
                        new FollowedAgents(
                            client,
                            () -> nodes.nodes(controlPlane),
                            () -> gates.ask(controlPlane),
                            clock)))
        .ifPresent(agents -> agents.plan(plan, changed));
  }

  /** What is known of a pool. */
  public Seen seen(String controlPlane, String pool) {
    return attached(controlPlane)
        .map(FollowedAgents::rounds)
        .map(rounds -> new Seen(rounds.report(pool), rounds.policyProblem(), rounds.isGivenBack()))
        .orElse(Seen.NOTHING);
  }

  /** A pool is gone, and its ledger is to go. */
  public void leave(String controlPlane, String pool) {
    attached(controlPlane).ifPresent(agents -> agents.leave(pool));
  }

  /** Follows a cluster no more; nothing is written to it. */
  public void forget(String controlPlane) {
    clusters.find(controlPlane).ifPresent(cluster -> cluster.detach(FollowedAgents.class));
  }

  private Optional<FollowedAgents> attached(String controlPlane) {
    Optional<HostedCluster> cluster = clusters.find(controlPlane);
    return cluster.flatMap(found -> found.attached(FollowedAgents.class));
  }
}
