// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any one pod can be killed: the conditions tell it while it happens, and after. */
@Order(60)
@Tag("life")
class HealingE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  @BeforeEach
  void up() {
    Demo.up();
  }

  /** One of two of each at once: what is said of one must not hide another. */
  @Test
  @Order(1)
  void aLostPodOfEachComponentShowsAsDegradedAndComesBack() {
    List<String> components = List.of("apiserver", "controller-manager", "scheduler");
    try (Seen seen = new Seen()) {
      for (String component : components) {
        delete(Bed.pods(Demo.NAME, Demo.NAMESPACE, component).getFirst().getMetadata().getName());
      }
      for (String component : components) {
        Bed.await(
            "Degraded says that a pod of " + component + " is missing",
            PATIENCE,
            () -> seen.has("Degraded=True PartlyAvailable ", "demo-" + component + " has 1 of 2"),
            seen::toString);
      }
      Demo.settled(PATIENCE);
      assertThat(seen.has("Available=False")).as("the API stayed available").isFalse();
    }
    for (String component : components) {
      assertThat(Bed.pods(Demo.NAME, Demo.NAMESPACE, component)).hasSize(2);
    }
  }

  @Test
  @Order(2)
  void aLostEventsStoreLeavesTheApiAvailable() {
    try (Seen seen = new Seen()) {
      delete("demo-events-0");
      Bed.await(
          "Degraded names the events store",
          PATIENCE,
          () -> seen.has("Degraded=True StoreUnavailable store demo-events does not serve"),
          seen::toString);
      Bed.await(
          "StoresReady names it, too",
          PATIENCE,
          () -> seen.has("StoresReady=False StoreUnavailable demo-events"),
          seen::toString);
      Demo.settled(PATIENCE);
      assertThat(seen.has("Available=False")).as(seen.toString()).isFalse();
    }
  }

  @Test
  @Order(3)
  void aKilledProcessOfTheDefaultStoreKeepsItsData() {
    Hosted.createConfigMap(Demo.NAME, Demo.NAMESPACE, "kept");
    Pod store = store();
    killStore(store);
    Bed.await(
        "the container restarted",
        PATIENCE,
        () ->
            store().getStatus().getContainerStatuses().getFirst().getRestartCount()
                > restarts(store));
    // The status of before may still be the one that is told.
    Bed.await(
        "its data is there", PATIENCE, () -> Hosted.holds(() -> configMaps().contains("kept")));
    Demo.settled(PATIENCE);
    Demo.client().configMaps().inNamespace("default").withName("kept").delete();
  }

  /** As for a security fix: with what this operator has, and without a loss. */
  @Test
  @Order(4)
  void storesAreReplacedOneAfterTheOtherWhenItIsAskedFor() {
    Hosted.createConfigMap(Demo.NAME, Demo.NAMESPACE, "patched");
    List<String> apiServers = uids(Bed.pods(Demo.NAME, Demo.NAMESPACE, "apiserver"));
    List<String> stores = uids(List.of(pod("demo-default-0"), pod("demo-events-0")));
    String asked = "t" + System.currentTimeMillis();
    Demo.patch("{\"spec\":{\"storage\":{\"restartedAt\":\"" + asked + "\"}}}");
    Bed.await(
        "both stores have carried it out",
        PATIENCE,
        () ->
            Bed.kubectl("get", "shard", "demo-default", "demo-events", "--output=yaml")
                    .split("restartedAt: " + asked, -1)
                    .length
                == 5,
        () -> Bed.kubectl("get", "shard,pods", "--output=wide"));
    Demo.settled(PATIENCE);
    assertThat(uids(List.of(pod("demo-default-0"), pod("demo-events-0"))))
        .doesNotContainAnyElementsOf(stores);
    assertThat(pod("demo-events-0").getMetadata().getCreationTimestamp())
        .as("the second waits for the first")
        .isGreaterThanOrEqualTo(pod("demo-default-0").getMetadata().getCreationTimestamp());
    assertThat(uids(Bed.pods(Demo.NAME, Demo.NAMESPACE, "apiserver"))).isEqualTo(apiServers);
    Bed.awaitHolds(PATIENCE, () -> assertThat(configMaps()).contains("patched"));
    Demo.client().configMaps().inNamespace("default").withName("patched").delete();
  }

  private static Pod pod(String name) {
    return Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).withName(name).get();
  }

  private static List<String> uids(List<Pod> pods) {
    return pods.stream().map(pod -> pod.getMetadata().getUid()).toList();
  }

  private static void delete(String pod) {
    Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).withName(pod).delete();
  }

  private static List<String> configMaps() {
    return Demo.client().configMaps().inAnyNamespace().list().getItems().stream()
        .map(configMap -> configMap.getMetadata().getName())
        .toList();
  }

  private static Pod store() {
    return Bed.CLIENT.pods().inNamespace(Demo.NAMESPACE).withName("demo-default-0").get();
  }

  private static int restarts(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst().getRestartCount();
  }

  /** Kills the store of a pod; it runs on this machine, as others of its name may. */
  private static void killStore(Pod pod) {
    long killed =
        ProcessHandle.allProcesses()
            .filter(p -> p.info().commandLine().orElse("").contains("--name=demo-default "))
            .filter(process -> PowerCut.isIn(process, pod.getMetadata().getUid()))
            .filter(ProcessHandle::destroyForcibly)
            .count();
    assertThat(killed).as("processes of the store that were killed").isEqualTo(1);
  }
}
