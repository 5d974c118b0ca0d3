// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A scheduler of many processes on a real kube-apiserver, parts of which die, stand still or cannot
 * be reached in the middle of a batch; an auditor looks on.
 */
class TreeProcessTest extends BatchTest {
  private static final String BY_SHARDS = "exaplane_scheduler_pods_by_shards_total";
  private static final String BOUND = "exaplane_scheduler_pods_bound_total";
  private static final String SHARDS = "exaplane_scheduler_tree_shards";

  @Test
  @Tag("long")
  void aRootTwoRelaysAndEightShardsOnTwentyThousandNodes() throws Exception {
    placesAll(20_000, 100_000, 4);
  }

  private void placesAll(int nodes, int pods, int shardsARelay) throws Exception {
    start(nodes);
    try (ProcessTree tree = new ProcessTree(folder, api, 1)) {
      SchedulerProcess root = tree.root(0);
      for (int i = 0; i < 2; i++) {
        String address = "127.0.0.1:" + Machine.freePort();
        tree.relay(address);
        tree.startShards(shardsARelay, address);
      }
      int shards = 2 * shardsARelay;
      ProcessTree.awaitShards(root, shards);
      assertThat(root.metric("exaplane_scheduler_tree_relays")).isEqualTo(2);
      String fewest = "exaplane_scheduler_tree_nodes_fewest";
      Await.until(
          "shares are even",
          () -> root.metric(fewest) > 0.8 * nodes / shards,
          () -> root.metric(fewest));
      assertThat(root.page("/tree")).contains("\"via\":[\"relay-1\"]");
      for (int from = 0; from < pods; from += 2000) {
        batch.create(from, from + 2000);
        int to = from + 2000;
        Await.until(to + " are bound", () -> root.metric(BOUND) >= to, () -> root.metric(BOUND));
      }
      batch.audit(pods);
      System.out.printf(
          "%.0f of %d pods by shards, %.0f without their answer%n",
          root.metric(BY_SHARDS), pods, root.metric("exaplane_scheduler_pods_alone_total"));
      assertThat(root.metric(BY_SHARDS)).isGreaterThan(pods / 2.0);
      assertThat(root.log()).doesNotContain("unexpected error").doesNotContain("gRPC server");
    }
  }

  /** What it says when it goes on is of a cluster that is no more. */
  @Test
  void aShardThatStoodStillDecidesNothingAndOthersGetTheNodesOfOneThatDies() throws Exception {
    start();
    try (ProcessTree tree = new ProcessTree(folder, api, 1)) {
      SchedulerProcess root = tree.rootAndShards(2);
      SchedulerProcess second = tree.lastShard();
      Thread creating = create(0, PODS);
      batch.awaitBound(PODS / 4);
      second.pause();
      long pausedNs = System.nanoTime();
      Await.until("its nodes are another's", () -> root.metric(SHARDS) == 1);
      ProcessTree.awaitShards(root, 1);
      System.out.printf(
          "its nodes are another's %d ms later%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pausedNs));
      creating.join();
      batch.awaitBound(PODS);
      second.resume();
      ProcessTree.awaitShards(root, 2);
      assertThat(second.log()).contains("left the tree");
      Thread more = create(PODS, 2 * PODS);
      batch.awaitBound(PODS + PODS / 3);
      second.kill();
      ProcessTree.awaitShards(root, 1);
      Await.until(
          "it has all nodes", () -> root.metric("exaplane_scheduler_tree_nodes_fewest") == NODES);
      more.join();
      batch.awaitBound(2 * PODS);
      tree.shard();
      ProcessTree.awaitShards(root, 2);
      batch.audit(2 * PODS);
    }
  }

  @Test
  void aRelayThatCannotBeReachedIsLeftByItsShards() throws Exception {
    start();
    try (ProcessTree tree = new ProcessTree(folder, api, 1);
        Cable cable = new Cable(tree.rootAddress(0))) {
      SchedulerProcess root = tree.root(0);
      String address = "127.0.0.1:" + Machine.freePort();
      SchedulerProcess relay =
          SchedulerProcess.start(
              folder,
              "relay",
              List.of(
                  "--role=relay", "--tree-listen=" + address, "--tree-parents=" + cable.address()));
      try (relay) {
        tree.startShards(2, address);
        ProcessTree.awaitShards(root, 2);
        Thread creating = create(0, PODS);
        batch.awaitBound(PODS / 4);
        cable.cut();
        // Its shards may have left it before it is dropped.
        Await.until(
            "the relay is dropped", () -> root.metric("exaplane_scheduler_tree_relays") == 0);
        ProcessTree.awaitShards(root, 2);
        creating.join();
        batch.awaitBound(PODS);
        cable.mend();
        Await.until("the relay is back", () -> root.metric("exaplane_scheduler_tree_relays") == 1);
        batch.create(PODS, PODS + 200);
        batch.awaitBound(PODS + 200);
        batch.audit(PODS + 200);
      }
    }
  }

  @Test
  void aRootDiesAndShardsFollowTheNextOne() throws Exception {
    start();
    try (ProcessTree tree = new ProcessTree(folder, api, 2)) {
      SchedulerProcess first = tree.root(0);
      Future<SchedulerProcess> standby = ProcessTree.aside(() -> tree.root(1));
      tree.startShards(2);
      SchedulerProcess second = standby.get();
      ProcessTree.awaitShards(first, 2);
      assertThat(second.metric(SHARDS)).isZero();
      Thread creating = create(0, PODS);
      batch.awaitBound(PODS / 3);
      first.kill();
      ProcessTree.awaitShards(second, 2);
      creating.join();
      batch.awaitBound(PODS);
      int all = batch.untilByShards(second, PODS, 200);
      batch.audit(all);
    }
  }
}
