// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Parts die, stand still and come back in the middle of a batch; an auditor looks on. */
class FaultsProcessTest extends BatchTest {

  @Test
  void whoIsInChargeDiesAndTheNextOneGoesOn() throws Exception {
    start();
    try (SchedulerProcess first = SchedulerProcess.start(folder, "first", api);
        SchedulerProcess second = SchedulerProcess.start(folder, "second", api)) {
      Thread creating = create(0, PODS);
      batch.awaitBound(PODS / 3);
      first.kill();
      long killedNs = System.nanoTime();
      long before = batch.boundNow();
      Await.until("the next one binds", () -> batch.bound() > before || batch.bound() == PODS);
      System.out.printf(
          "the next one binds %d ms later%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs));
      creating.join();
      batch.awaitBound(PODS);
      batch.audit(PODS);
      assertThat(second.log()).contains("is in charge");
    }
  }

  @Test
  void whoStandsStillDoesNothingWhenItGoesOn() throws Exception {
    start();
    try (SchedulerProcess first = SchedulerProcess.start(folder, "first", api);
        SchedulerProcess second = SchedulerProcess.start(folder, "second", api)) {
      Thread creating = create(0, PODS);
      batch.awaitBound(PODS / 3);
      first.pause();
      creating.join();
      batch.awaitBound(PODS);
      first.resume();
      assertThat(first.awaitEnd()).contains("another process is in charge");
      batch.audit(PODS);
      assertThat(second.log()).doesNotContain("was not bound to");
    }
  }

  @Test
  void theApiServerDiesAndComesBack() throws Exception {
    start();
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      Thread creating = create(0, PODS);
      batch.awaitBound(PODS / 3);
      api.killApiServer();
      api.startApiServer();
      creating.join();
      batch.awaitBound(PODS);
      batch.audit(PODS);
      assertThat(scheduler.log()).contains("in charge");
    }
  }

  @Test
  @Tag("long")
  void anApiServerThatHasTooMuchToDoGetsLess() throws Exception {
    startWith(
        "--enable-priority-and-fairness=false",
        "--max-mutating-requests-inflight=2",
        "--max-requests-inflight=30");
    batch.create(0, PODS);
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      batch.awaitBound(PODS);
      batch.audit(PODS);
      assertThat(scheduler.log()).doesNotContain("was not bound to");
    }
  }

  /** Some of them while they are on their way to a node, or to a node that goes. */
  @Test
  void podsAndNodesThatGoMeanwhileCostNoOther() throws Exception {
    start();
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      Thread creating = create(0, PODS);
      for (int i = 0; i < PODS / 10; i++) {
        String name = "pod-%05d".formatted(i * 10 + 5);
        Await.until(name, () -> client.pods().inNamespace("default").withName(name).get() != null);
        client.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
        if (i % 12 == 0) {
          client.nodes().withName("node-%04d".formatted(NODES - 1 - i / 12)).delete();
        }
      }
      creating.join();
      Await.until(
          "all that are left are on nodes",
          () -> batch.pods().stream().allMatch(pod -> pod.getSpec().getNodeName() != null));
      assertThat(batch.auditor().violations())
          .filteredOn(violation -> !violation.contains("skew") && !violation.contains("not there"))
          .isEmpty();
      assertThat(scheduler.log()).doesNotContain("unexpected error");
    }
  }

  @Test
  @Tag("long")
  void podsThatCameWhileNobodyWasThereAreNotLost() throws Exception {
    start();
    batch.create(0, PODS / 2);
    try (SchedulerProcess first = SchedulerProcess.start(folder, "first", api)) {
      batch.awaitBound(PODS / 2);
      first.kill();
    }
    batch.create(PODS / 2, PODS);
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "second", api)) {
      batch.awaitBound(PODS);
      batch.audit(PODS);
      assertThat(scheduler.log()).contains("in step: " + NODES + " nodes");
    }
  }
}
