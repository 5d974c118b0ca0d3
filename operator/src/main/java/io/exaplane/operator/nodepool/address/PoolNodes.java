// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.hosted.HostedClusters;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Follows the Nodes of all hosted clusters that have pools: gives Nodes the prefixes that they ask
 * for, and counts them. A cluster costs one watch, one virtual thread, and half a kilobyte for each
 * Node. Thread-safe; no method waits for a hosted API.
 */
@ApplicationScoped
public class PoolNodes {
  /** A list of a hundred thousand Nodes takes seconds, and megabytes for each page. */
  private static final int LISTS_AT_ONCE = 8;

  private final Semaphore turns = new Semaphore(LISTS_AT_ONCE, true);
  private final HostedClusters clusters;
  private final Clock clock;

  PoolNodes(HostedClusters clusters, Clock clock) {
    this.clusters = clusters;
    this.clock = clock;
  }

  /**
   * Follows a cluster by a plan; the same once more does nothing. Nothing is followed until the
   * ControlPlane's passes opened the connection, and after it was closed; the next call begins
   * again, and reads all Nodes before it decides.
   *
   * @param controlPlane UID of the ControlPlane
   * @param plan all pools of the ControlPlane
   * @param changed is told the name of a pool whose counts changed; it must not wait
   */
  public void follow(String controlPlane, ClusterPlan plan, Consumer<String> changed) {
    clusters
        .find(controlPlane)
        .flatMap(
            cluster ->
                cluster.attach(
                    FollowedCluster.class,
                    client ->
                        new FollowedCluster(
                            client, client.getMasterUrl().toString(), turns, clock)))
        .ifPresent(nodes -> nodes.plan(plan, changed));
  }

  /** What is known of a pool; empty until all Nodes were listed, and while nothing is followed. */
  public Optional<NodeCounts> counts(String controlPlane, String pool) {
    return clusters
        .find(controlPlane)
        .flatMap(cluster -> cluster.attached(FollowedCluster.class))
        .flatMap(nodes -> nodes.counts(pool));
  }

  /** All Nodes of a cluster; empty until they were listed, and while nothing is followed. */
  public Optional<List<NodeSight>> nodes(String controlPlane) {
    return clusters
        .find(controlPlane)
        .flatMap(cluster -> cluster.attached(FollowedCluster.class))
        .flatMap(FollowedCluster::nodes);
  }

  /** The Nodes of a pool; empty until all were listed, and while nothing is followed. */
  public Optional<List<NodeTurn>> turns(String controlPlane, String pool) {
    return clusters
        .find(controlPlane)
        .flatMap(cluster -> cluster.attached(FollowedCluster.class))
        .flatMap(nodes -> nodes.turns(pool));
  }

  /** Follows a cluster no more; nothing is written to it. */
  public void forget(String controlPlane) {
    clusters.find(controlPlane).ifPresent(cluster -> cluster.detach(FollowedCluster.class));
  }
}
