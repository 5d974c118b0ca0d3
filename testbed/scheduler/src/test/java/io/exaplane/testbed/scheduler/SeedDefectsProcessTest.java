// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the seed's scheduler did wrong with its API server, by the numbers of the reference's list
 * (§3.2). Those of its tree (9 to 13, 15) are tested with the tree.
 */
class SeedDefectsProcessTest {
  private static final int ROUNDS = 20;

  @TempDir private static Path folder;

  private static LiveApi api;
  private static SchedulerProcess scheduler;
  private KubernetesClient client;
  private Recording recording;

  @BeforeAll
  static void lendApi() throws Exception {
    api = SharedApi.lend();
    startScheduler();
  }

  private static void startScheduler() throws Exception {
    // Without a Lease, which would go with what a test made.
    scheduler = SchedulerProcess.start(folder, "scheduler", api, "--leader-elect=false");
  }

  @AfterAll
  static void stopScheduler() {
    scheduler.close();
  }

  @BeforeEach
  void oneNodeWithRoomForTwo() throws Exception {
    client = SharedApi.lend().client();
    client.resource(PodMix.node(1, "2")).create();
    recording = new Recording(client);
  }

  @AfterEach
  void stop() {
    recording.close();
    client.close();
  }

  private Pod create(String name) {
    return client.resource(PodMix.plain(name, "1").build()).create();
  }

  private void awaitBound(Pod pod) throws InterruptedException {
    String name = pod.getMetadata().getName();
    Await.until(name + " is on a node", () -> nodeOf(name) != null);
  }

  private String nodeOf(String name) {
    Pod pod = client.pods().inNamespace("default").withName(name).get();
    return pod == null ? null : pod.getSpec().getNodeName();
  }

  private void delete(String name) {
    client.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
  }

  private void nothingWasWrong() throws IOException {
    assertThat(Auditor.of(recording.soFar()).violations()).isEmpty();
    assertThat(scheduler.log()).doesNotContain("unexpected error");
  }

  /** 5: pods that were never stored took room, those that went while they waited still did. */
  @Test
  void defect5OnlyPodsThatAreThereTakeRoom() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      client.resource(PodMix.plain("never-" + i, "1").build()).dryRun().create();
    }
    Pod first = create("first");
    awaitBound(first);
    awaitBound(create("second"));
    create("waits");
    Await.until("it waits", () -> refused("waits"));
    delete("waits");
    delete("first");
    awaitBound(create("third"));
    nothingWasWrong();
  }

  private boolean refused(String name) {
    Pod pod = client.pods().inNamespace("default").withName(name).get();
    return pod.getStatus().getConditions().stream()
        .anyMatch(c -> "Unschedulable".equals(c.getReason()));
  }

  /** 6: pods that came while nobody was in charge waited for ever. */
  @Test
  void defect6PodsThatCameWhileNobodyWasInChargeArePlaced() throws Exception {
    scheduler.kill();
    Pod between = create("between");
    startScheduler();
    awaitBound(between);
    assertThat(scheduler.log()).contains("in step");
    nothingWasWrong();
  }

  /** 14: a pod was known by its name, so that the next one of that name was taken for it. */
  @Test
  void defect14APodThatHasAnothersNameIsAnother() throws Exception {
    awaitBound(create("stays"));
    Set<String> uids = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      Pod pod = create("same");
      uids.add(pod.getMetadata().getUid());
      if (i % 2 == 0) {
        awaitBound(pod);
      } // else it goes while it is on its way
      delete("same");
    }
    awaitBound(create("same"));
    assertThat(uids).hasSize(ROUNDS);
    nothingWasWrong();
  }
}
