// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts die, stand still and come back in the middle of a batch; an auditor looks on. */
class FaultsProcessTest {
  private static final int NODES = 120;
  private static final int PODS = 1200;

  @TempDir private Path folder;

  private LiveApi api;
  private KubernetesClient client;
  private Recording recording;
  private PodBatch batch;

  private void start(String... apiServerFlags) throws Exception {
    api = LiveApi.start(folder, apiServerFlags);
    client = api.client();
    recording = new Recording(client);
    batch = new PodBatch(client).nodes(NODES);
  }

  @AfterEach
  void stop() {
    recording.close();
    client.close();
    api.close();
  }

  @Test
  void whoIsInChargeDiesAndTheNextOneGoesOn() throws Exception {
    start();
    try (SchedulerProcess first = SchedulerProcess.start(folder, "first", api);
        SchedulerProcess second = SchedulerProcess.start(folder, "second", api)) {
      Thread creating = Thread.ofVirtual().start(() -> create(0, PODS));
      batch.awaitBound(PODS / 3);
      first.kill();
      long killedNs = System.nanoTime();
      creating.join();
      long before = batch.bound();
      Await.until("the next one binds", () -> batch.bound() > before || batch.bound() == PODS);
      System.out.printf(
          "the next one binds %d ms later%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs));
      batch.awaitBound(PODS);
      batch.audit(recording, PODS);
      assertThat(second.log()).contains("is in charge");
    }
  }

  @Test
  void whoStandsStillDoesNothingWhenItGoesOn() throws Exception {
    start();
    try (SchedulerProcess first = SchedulerProcess.start(folder, "first", api);
        SchedulerProcess second = SchedulerProcess.start(folder, "second", api)) {
      Thread creating = Thread.ofVirtual().start(() -> create(0, PODS));
      batch.awaitBound(PODS / 3);
      first.pause();
      creating.join();
      batch.awaitBound(PODS);
      first.resume();
      assertThat(first.awaitEnd()).contains("somebody else is in charge");
      batch.audit(recording, PODS);
      assertThat(second.log()).doesNotContain("does not go to");
    }
  }

  @Test
  void theApiServerDiesAndComesBack() throws Exception {
    start();
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      Thread creating = Thread.ofVirtual().start(() -> create(0, PODS));
      batch.awaitBound(PODS / 3);
      api.killApiServer();
      api.startApiServer();
      creating.join();
      batch.awaitBound(PODS);
      batch.audit(recording, PODS);
      assertThat(scheduler.log()).contains("in charge");
    }
  }

  @Test
  void anApiServerThatHasTooMuchToDoGetsLess() throws Exception {
    start(
        "--enable-priority-and-fairness=false",
        "--max-mutating-requests-inflight=2",
        "--max-requests-inflight=30");
    batch.create(0, PODS);
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      batch.awaitBound(PODS);
      batch.audit(recording, PODS);
      assertThat(scheduler.log()).doesNotContain("does not go to");
    }
  }

  /** Some of them while they are on their way to a node, or to a node that goes. */
  @Test
  void podsAndNodesThatGoMeanwhileCostNoOther() throws Exception {
    start();
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      Thread creating = Thread.ofVirtual().start(() -> create(0, PODS));
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
      assertThat(Auditor.of(recording.soFar()).violations())
          .filteredOn(violation -> !violation.contains("skew") && !violation.contains("not there"))
          .isEmpty();
      assertThat(scheduler.log()).doesNotContain("this should not be");
    }
  }

  @Test
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
      batch.audit(recording, PODS);
      assertThat(scheduler.log()).contains("in step: " + NODES + " nodes");
    }
  }

  private void create(int from, int to) {
    try {
      batch.create(from, to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
