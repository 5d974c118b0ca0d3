// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** The operator's own looks at the Nodes of one cluster, as those of a process. Thread-safe. */
public final class FollowedNodes implements AutoCloseable {
  private final FollowedCluster cluster;

  private FollowedNodes(FollowedCluster cluster) {
    this.cluster = cluster;
  }

  /** Begins as an operator that has just started: it knows nothing but the Nodes. */
  public static FollowedNodes start(KubernetesClient client, ClusterPlan plan) {
    FollowedCluster cluster =
        new FollowedCluster(client, "test", new Semaphore(1), Clock.systemUTC());
    cluster.plan(plan, _ -> {});
    return new FollowedNodes(cluster);
  }

  /** What the pool's status would say; nothing before all Nodes were read. */
  public Optional<NodeCounts> counts(String pool) {
    return cluster.counts(pool);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
