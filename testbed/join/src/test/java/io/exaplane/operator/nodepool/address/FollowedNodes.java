// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The operator's own looks at the Nodes of one cluster, as those of a process. Thread-safe. */
public final class FollowedNodes implements AutoCloseable {
  private final FollowedCluster cluster;
  private final CountDownLatch told;

  private FollowedNodes(FollowedCluster cluster, CountDownLatch told) {
    this.cluster = cluster;
    this.told = told;
  }

  /** Begins as an operator that has just started: it knows nothing but the Nodes. */
  public static FollowedNodes start(KubernetesClient client, ClusterPlan plan) {
    FollowedCluster cluster =
        new FollowedCluster(client, "test", new Semaphore(1), Clock.systemUTC());
    CountDownLatch told = new CountDownLatch(1);
    cluster.plan(
        plan,
        _ -> {
          if (cluster.hasEnded()) {
            told.countDown();
          }
        });
    return new FollowedNodes(cluster, told);
  }

  /** What the pool's status would say; nothing before all Nodes were read. */
  public Optional<NodeCounts> counts(String pool) {
    return cluster.counts(pool);
  }

  /** What waves of agents go by; nothing before all Nodes were read. */
  public Optional<List<NodeSight>> nodes() {
    return cluster.nodes();
  }

  /** What upgrades go by; nothing before all Nodes were read. */
  public Optional<List<NodeTurn>> turns(String pool) {
    return cluster.turns(pool);
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** Waits until a pass is asked for, which would follow by another connection. */
  public boolean awaitEndIsTold() throws InterruptedException {
    return told.await(120, TimeUnit.SECONDS);
  }
}
