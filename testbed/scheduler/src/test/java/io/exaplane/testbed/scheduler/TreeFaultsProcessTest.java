// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to a whole tree, or to one that has trouble with its API server. */
class TreeFaultsProcessTest extends BatchTest {
  private static final String RELAYS = "exaplane_scheduler_tree_relays";

  @Test
  void aRelayDiesInTheMiddleOfABatchAndItsShardsGoElsewhere() throws Exception {
    start();
    try (ProcessTree tree = new ProcessTree(folder, api, 1)) {
      String address = "127.0.0.1:" + Machine.freePort();
      Future<SchedulerProcess> starting = ProcessTree.aside(() -> tree.relay(address));
      SchedulerProcess root = tree.root(0);
      SchedulerProcess relay = starting.get();
      tree.startShards(2, address);
      ProcessTree.awaitShards(root, 2);
      Await.until("the relay is known", () -> root.metric(RELAYS) == 1);
      Thread creating = create(0, PODS);
      batch.awaitBound(PODS / 3);
      relay.kill();
      long killedNs = System.nanoTime();
      Await.until("the relay is missed", () -> root.metric(RELAYS) == 0);
      ProcessTree.awaitShards(root, 2);
      System.out.printf(
          "its shards have all nodes again %d ms later%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs));
      creating.join();
      batch.awaitBound(PODS);
      int all = batch.untilByShards(root, PODS, 200);
      batch.audit(all);
    }
  }

  @Test
  void aPoolThatIsGoneForAWhileLosesNoPod() throws Exception {
    start();
    goneFor(0);
  }

  @Test
  @Tag("long")
  void aPoolThatIsGoneForAMinuteLosesNoPod() throws Exception {
    start();
    goneFor(60);
  }

  /** At least for so long, and until all pods are made. */
  private void goneFor(int seconds) throws Exception {
    Thread creating;
    try (ProcessTree tree = new ProcessTree(folder, api, 1)) {
      SchedulerProcess root = tree.rootAndShards(1);
      creating = create(0, PODS);
      batch.awaitBound(PODS / 3);
    } // all of them are killed
    long bound = batch.settled();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Await.until("it is gone for %d s".formatted(seconds), () -> System.nanoTime() > endNs);
    creating.join();
    assertThat(batch.boundNow()).as("by nobody").isEqualTo(bound);
    try (ProcessTree tree = new ProcessTree(folder, api, 1)) {
      SchedulerProcess root = tree.rootAndShards(1);
      batch.awaitBound(PODS);
      batch.create(PODS, PODS + 200);
      batch.awaitBound(PODS + 200);
      batch.audit(PODS + 200);
    }
  }

  @Test
  void anApiServerThatHasTooMuchToDoCostsATreeNoPod() throws Exception {
    startWith(
        "--enable-priority-and-fairness=false",
        "--max-mutating-requests-inflight=2",
        "--max-requests-inflight=30");
    batch.create(0, PODS);
    try (ProcessTree tree = new ProcessTree(folder, api, 1)) {
      SchedulerProcess root = tree.root(0);
      tree.startShards(1);
      batch.awaitBound(PODS);
      batch.audit(PODS);
      assertThat(root.log()).doesNotContain("was not bound to");
    }
  }
}
