// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeWaitTest {
  private static final String SELECTED = "volume.kubernetes.io/selected-node";
  private static final String COMPLETED = "pv.kubernetes.io/bind-completed";

  private final Cluster cluster = new Cluster(SelectorCompiler.NONE);
  private final ObjectReader reader = new ObjectReader(cluster, Version.newest());
  private final Waits waits = new Waits(cluster);
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private long nowNs = TimeUnit.HOURS.toNanos(1);

  @BeforeEach
  void aPodWhoseVolumeIsBeingMade() {
    put("v1", "Node", "n1", Map.of(), Map.of());
    put(
        "storage.k8s.io/v1",
        "StorageClass",
        "fast",
        Map.of(),
        Map.of("provisioner", "example.org/p", "volumeBindingMode", "WaitForFirstConsumer"));
    claim(Map.of(), "");
    Map<String, Object> volume =
        Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", "c"));
    put("v1", "Pod", "p", Map.of(), Map.of("spec", Map.of("volumes", List.of(volume))));
    VolumePlan plan =
        VolumeBinding.plan(cluster.pod("ns/p").spec(), cluster.nodes().node(0), cluster.volumes());
    assertThat(plan.toMake()).hasSize(1);
    plan.keep(cluster.volumes());
    waits.add(cluster.pod("ns/p").pod(), new VolumeWait(cluster, plan), ready);
  }

  @Test
  void areOverWhenItIsBoundAndKnown() {
    look(60);
    assertThat(ready).isNotDone();
    claim(Map.of(SELECTED, "n1", COMPLETED, "yes"), "volume");
    look(1);
    assertThat(ready).as("the volume is not known yet").isNotDone();
    put("v1", "PersistentVolume", "volume", Map.of(), Map.of("spec", Map.of()));
    look(1);
    assertThat(ready).isCompletedWithValue("");
  }

  @Test
  void areOverWhenTheNodeWasTakenOutOfTheClaim() {
    claim(Map.of(), "");
    look(5);
    assertThat(ready).as("what was written may not have been told yet").isNotDone();
    claim(Map.of(SELECTED, "n1"), "");
    look(5);
    claim(Map.of(), "");
    look(1);
    look(9);
    assertThat(ready).isNotDone();
    look(2);
    assertThat(ready.join()).isEqualTo("no volume is being created for ns/c on node n1");
  }

  @Test
  void areOverWhenThePodOrTheNodeIsGone() {
    reader.remove("Node", "", "n1");
    look(1);
    assertThat(ready.join()).isEqualTo("node n1 does not exist any more");
    CompletableFuture<String> other = new CompletableFuture<>();
    waits.add(cluster.pod("ns/p").pod(), new VolumeWait(cluster, VolumePlan.NONE), other);
    reader.remove("Pod", "ns", "p");
    look(1);
    assertThat(other.join()).isEqualTo("the pod does not exist any more");
  }

  /** A more important pod gets its place. */
  @Test
  void areOverWhenThePodDoesNotGoAfterAll() {
    waits.cancel(cluster.pod("ns/p").pod(), "preempted");
    assertThat(ready.join()).isEqualTo("preempted");
    look(1);
    waits.cancel(cluster.pod("ns/p").pod(), "again");
    assertThat(ready.join()).isEqualTo("preempted");
  }

  private void look(int secondsLater) {
    nowNs += TimeUnit.SECONDS.toNanos(secondsLater);
    waits.look(nowNs);
  }

  private void claim(Map<String, String> annotations, String volume) {
    put(
        "v1",
        "PersistentVolumeClaim",
        "c",
        annotations,
        Map.of("spec", Map.of("storageClassName", "fast", "volumeName", volume)));
  }

  private void put(
      String version,
      String kind,
      String name,
      Map<String, String> annotations,
      Map<String, Object> rest) {
    Map<String, Object> object = new HashMap<>(rest);
    object.put("apiVersion", version);
    object.put("kind", kind);
    object.put(
        "metadata",
        Map.of("name", name, "namespace", "ns", "uid", "uid " + name, "annotations", annotations));
    reader.read(Fields.of(object, ""));
  }
}
