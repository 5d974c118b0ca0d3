// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.hosted.HostedCluster;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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

  private final Map<String, HostedCluster> clusters = new ConcurrentHashMap<>();
  private final Semaphore turns = new Semaphore(LISTS_AT_ONCE, true);
  private final Clock clock;

  PoolNodes(Clock clock) {
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
  public void follow(
      String controlPlane, HostedCluster cluster, ClusterPlan plan, Consumer<String> changed) {
    HostedCluster before = clusters.put(controlPlane, cluster);
    if (before != null && before != cluster) {
      before.detach(FollowedCluster.class);
    }
    cluster
        .attach(
            FollowedCluster.class,
            client -> new FollowedCluster(client, client.getMasterUrl().toString(), turns, clock))
        .ifPresent(nodes -> nodes.plan(plan, changed));
  }

  /** What is known of a pool; empty until all Nodes were listed, and while nothing is followed. */
  public Optional<NodeCounts> counts(String controlPlane, String pool) {
    return Optional.ofNullable(clusters.get(controlPlane))
        .flatMap(cluster -> cluster.attached(FollowedCluster.class))
        .flatMap(nodes -> nodes.counts(pool));
  }

  /** Follows a cluster no more; nothing is written to it. */
  public void forget(String controlPlane) {
    HostedCluster cluster = clusters.remove(controlPlane);
    if (cluster != null) {
      cluster.detach(FollowedCluster.class);
    }
  }
}
