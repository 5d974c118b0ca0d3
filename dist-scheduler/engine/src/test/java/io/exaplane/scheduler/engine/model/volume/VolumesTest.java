// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is gone is not known any more, and plans that rest on it are made anew. */
class VolumesTest {
  private static final String STORAGE = "storage.k8s.io/v1";

  private final Cluster cluster = new Cluster();
  private final ObjectReader reader = new ObjectReader(cluster, Version.newest());
  private final Volumes volumes = cluster.volumes();

  @Test
  void claimsAndVolumesGo() {
    put("v1", "PersistentVolumeClaim", "c", map());
    put("v1", "PersistentVolume", "v", map("storageClassName", "fast"));
    put("v1", "PersistentVolume", "w", map("storageClassName", "fast"));
    assertThat(volumes.claim("ns", "c")).isNotNull();
    assertThat(volumes.volumesOf("fast")).hasSize(2);
    gone("PersistentVolumeClaim", "c");
    assertThat(volumes.claim("ns", "c")).isNull();
    gone("PersistentVolume", "v");
    gone("PersistentVolume", "v");
    assertThat(volumes.volume("v")).isNull();
    assertThat(volumes.volumesOf("fast")).extracting(PersistentVolume::name).containsExactly("w");
  }

  @Test
  void whatProvisionsThemGoes() {
    put(STORAGE, "StorageClass", "fast", map());
    put(STORAGE, "CSINode", "n1", map());
    put(STORAGE, "CSIDriver", "csi.example.org", map("storageCapacity", true));
    put(STORAGE, "CSIStorageCapacity", "room", map());
    gone("StorageClass", "fast");
    assertThat(volumes.storageClass("fast")).isNull();
    gone("CSINode", "n1");
    assertThat(volumes.node("n1")).isNull();
    assertThat(volumes.tellsCapacity("csi.example.org")).isTrue();
    gone("CSIDriver", "csi.example.org");
    assertThat(volumes.tellsCapacity("csi.example.org")).isFalse();
    assertThat(volumes.capacities()).hasSize(1);
    gone("CSIStorageCapacity", "room");
    assertThat(volumes.capacities()).isEmpty();
  }

  @Test
  void attachmentsGoAndMove() {
    put(STORAGE, "VolumeAttachment", "a", map("attacher", "d", "nodeName", "n1"));
    put(STORAGE, "VolumeAttachment", "b", map("attacher", "d", "nodeName", "n1"));
    put(STORAGE, "VolumeAttachment", "b", map("attacher", "d", "nodeName", "n2"));
    assertThat(volumes.attachments("n1")).hasSize(1);
    assertThat(volumes.attachments("n2")).hasSize(1);
    gone("VolumeAttachment", "a");
    gone("VolumeAttachment", "never");
    assertThat(volumes.attachments("n1")).isEmpty();
  }

  private void put(String version, String kind, String name, Map<String, Object> spec) {
    Map<String, Object> meta = map("name", name, "namespace", "ns");
    reader.read(
        Fields.of(map("apiVersion", version, "kind", kind, "metadata", meta, "spec", spec), ""));
  }

  private void gone(String kind, String name) {
    long before = volumes.version();
    reader.remove(kind, "ns", name);
    assertThat(volumes.version()).isGreaterThan(before);
  }
}
