// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The default store loses its pod, its files, its claim, and finds another store's volume: what it
 * acknowledged is there again after the documented way out, and a container on the cluster's node
 * runs on through all of it.
 */
@Order(65)
@Tag("life")
class LostDataE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String STORE = "demo-default";
  private static final String POD = STORE + "-0";
  private static final String CLAIM = "data-" + POD;
  private static final String ACCEPT = "exaplane.io/accept-data-loss";

  @TempDir private static Path scratch;
  private static LastingContainer container;

  /** That were counted before. */
  private static int losses;

  @BeforeAll
  static void aContainerRunsOnANode() {
    Demo.up();
    Demo.host();
    container = LastingContainer.start();
    losses = status().dataLosses();
    Hosted.createConfigMap(Demo.NAME, Demo.NAMESPACE, "acknowledged");
  }

  @AfterAll
  static void takeDown() {
    container.stop();
  }

  /** But for the node's Lease, which is in memory only: the kubelet writes another in time. */
  @Test
  @Order(1)
  void aLostPodComesBackWithItsDataAndNoNodeIsTakenForDead() {
    String lease = leaseUid();
    NodeCondition ready = ready();
    deletePod();
    allIsThere();
    assertThat(status().dataLosses()).isEqualTo(losses);
    Bed.await(
        "the kubelet has another Lease",
        PATIENCE,
        () -> Hosted.holds(() -> !leaseUid().isEmpty() && !leaseUid().equals(lease)));
    Bed.awaitHolds(PATIENCE, () -> assertThat(ready().getStatus()).isEqualTo("True"));
    assertThat(ready().getLastTransitionTime()).isEqualTo(ready.getLastTransitionTime());
  }

  private static String leaseUid() {
    Lease lease = Demo.client().leases().inNamespace("kube-node-lease").withName(Demo.HOST).get();
    return lease == null ? "" : lease.getMetadata().getUid();
  }

  private static NodeCondition ready() {
    return Demo.client().nodes().withName(Demo.HOST).get().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .findFirst()
        .orElseThrow();
  }

  /** First it is empty, then its files are back beside the mark of another store. */
  @Test
  @Order(2)
  void aVolumeWithoutItsDataHoldsTheStoreUntilTheDataIsBack() throws Exception {
    Path data = volume().resolve("store");
    Path aside = data.resolveSibling("aside");
    Path mark = volume().resolve("exaplane-data-id");
    String own = Files.readString(mark);
    Files.move(data, aside);
    deletePod();
    StoreDataLoss loss = held("an empty volume");
    assertThat(loss.lastRevision()).isGreaterThan(1);
    Files.move(aside, data);
    Files.writeString(mark, "data-of-another\n");
    deletePod();
    Bed.await(
        "the pod says what it found",
        PATIENCE,
        () ->
            Bed.kubectl("get", "pod", POD, "--output=yaml", "--ignore-not-found")
                .contains("held: the data of another store (data-of-another)"));
    assertThat(status().dataLoss()).as("still the same loss").isEqualTo(loss);
    Files.writeString(mark, own);
    deletePod();
    allIsThere();
    assertThat(status().dataLosses()).as("nothing was lost").isEqualTo(losses);
    Bed.awaitHolds(PATIENCE, () -> assertThat(status().dataLoss()).isNull());
  }

  /** As docs/data-loss.md has it. */
  @Test
  @Order(3)
  void aLostClaimIsReplacedByASnapshot() {
    Path snapshot = scratch.resolve("demo.db");
    takeSnapshot(snapshot);
    Bed.kubectl("delete", "pvc", CLAIM, "--wait=false");
    deletePod();
    StoreDataLoss loss = held("an empty volume");
    restore(snapshot);
    accept(loss.incident());
    allIsThere();
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          assertThat(status().dataLosses()).isEqualTo(losses + 1);
          assertThat(status().dataLoss()).isNull();
        });
  }

  @Test
  @Order(4)
  void anAcceptedLossStartsTheControlPlaneAnew() throws Exception {
    Bed.await("a bound for revisions is known", PATIENCE, () -> status().revisionFloor() != null);
    long floor = status().revisionFloor();
    lose();
    StoreDataLoss loss = held("an empty volume");
    List<String> before = apiServers();
    accept("demo-default-00000000");
    accept(loss.incident());
    Demo.settled(PATIENCE);
    assertThat(apiServers()).as("they know the data of before").doesNotContainAnyElementsOf(before);
    Bed.awaitHolds(PATIENCE, () -> assertThat(configMaps()).doesNotContain("acknowledged"));
    assertThat(Long.parseLong(Demo.client().namespaces().list().getMetadata().getResourceVersion()))
        .as("no revision is used twice: clients that know the old ones read anew")
        .isGreaterThan(floor);
    Bed.await(
        "the new cluster works: its controllers make a service account",
        PATIENCE,
        () ->
            Hosted.holds(
                () ->
                    Demo.client().serviceAccounts().inNamespace("default").withName("default").get()
                        != null));
  }

  private static void lose() throws Exception {
    Path data = volume().resolve("store");
    Files.move(data, data.resolveSibling("lost-" + System.nanoTime()));
    deletePod();
  }

  private static void deletePod() {
    Bed.kubectl("delete", "pod", POD, "--timeout=300s");
  }

  /** The store is held: the conditions say it, nothing of the control plane is replaced. */
  private static StoreDataLoss held(String found) {
    List<String> before = apiServers();
    Bed.await(
        "the loss is told",
        PATIENCE,
        () -> status().dataLoss() != null && status().dataLoss().found().equals(found),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    StoreDataLoss loss = status().dataLoss();
    Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.StoreDataAvailable, "False", PATIENCE);
    Bed.awaitCondition(Demo.NAME, Demo.NAMESPACE, ConditionType.Available, "False", PATIENCE);
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          assertThat(told(ConditionType.StoreDataAvailable).message())
              .contains(loss.since(), loss.incident(), found, "restore a snapshot");
          assertThat(told(ConditionType.Available).reason())
              .isIn("StoreDataLost", "StoreUnavailable");
        });
    assertThat(apiServers()).as("caches are kept").isEqualTo(before);
    assertThat(Files.exists(volume().resolve("store")))
        .as("nothing was made in its place")
        .isFalse();
    return loss;
  }

  private static Condition told(ConditionType type) {
    return Bed.condition(Demo.get(), type).orElseThrow();
  }

  private static void allIsThere() {
    // The status of before the pod went may still be the one that is told.
    Bed.await(
        "what was acknowledged is there",
        PATIENCE,
        () -> Hosted.holds(() -> configMaps().contains("acknowledged")),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    Demo.settled(PATIENCE);
    container.isUntouched();
  }

  private static List<String> apiServers() {
    return Bed.pods(Demo.NAME, Demo.NAMESPACE, "apiserver").stream()
        .map(
            pod ->
                pod.getMetadata().getUid()
                    + " "
                    + pod.getStatus().getContainerStatuses().getFirst().getRestartCount())
        .sorted()
        .toList();
  }

  private static void takeSnapshot(Path file) {
    new Etcdctl(Demo.NAME, Demo.NAMESPACE, scratch).run("snapshot", "save", file.toString());
  }

  /** A pod with the claim takes the restored folder; the store's own pod waits meanwhile. */
  private static void restore(Path snapshot) {
    Path restored = scratch.resolve("restored");
    Bed.exa("store", "restore", snapshot.toString(), "--data-dir=" + restored.resolve("store"));
    Bed.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: rescue}
        spec:
          securityContext: {runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001}
          containers:
          - name: shell
            image: exaplane/busybox:1
            command: [sleep, "3600"]
            volumeMounts: [{name: data, mountPath: /data}]
          volumes:
          - name: data
            persistentVolumeClaim: {claimName: %s}
        """
            .formatted(CLAIM));
    Bed.kubectl("wait", "--for=condition=Ready", "pod/rescue", "--timeout=300s");
    Bed.kubectl("cp", restored.resolve("store").toString(), "rescue:/data/store");
    Bed.kubectl("delete", "pod", "rescue", "--grace-period=1", "--timeout=300s");
  }

  private static void accept(String incident) {
    Bed.kubectl("annotate", "--overwrite", "cpl", Demo.NAME, ACCEPT + "=" + incident);
  }

  private static List<String> configMaps() {
    return Demo.client().configMaps().inAnyNamespace().list().getItems().stream()
        .map(configMap -> configMap.getMetadata().getName())
        .toList();
  }

  /** The folder of the claim's volume, which is on this machine. */
  private static Path volume() {
    String name =
        Bed.CLIENT
            .persistentVolumeClaims()
            .inNamespace(Demo.NAMESPACE)
            .withName(CLAIM)
            .get()
            .getSpec()
            .getVolumeName();
    return Path.of(
        Bed.CLIENT.persistentVolumes().withName(name).get().getSpec().getLocal().getPath());
  }

  private static StoreShardStatus status() {
    return Bed.CLIENT
        .resources(StoreShard.class)
        .inNamespace(Demo.NAMESPACE)
        .withName(STORE)
        .get()
        .getStatus();
  }
}
