// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept for the claims of a pod that is on its way to a node. */
class VolumesInFlightTest {
  private final QueueBed bed = QueueBed.of(Profile.defaults(Version.newest()));
  private final Volumes volumes = bed.cluster().volumes();
  private QueuedPod pod;
  private VolumePlan plan;

  @BeforeEach
  void aPodWithTwoClaimsOnItsWay() {
    put("v1", "Node", "n1", map());
    put(
        "storage.k8s.io/v1",
        "StorageClass",
        "local",
        map("provisioner", "example.org/p", "volumeBindingMode", "WaitForFirstConsumer"));
    put("v1", "PersistentVolume", "v", volume("Available"));
    put("v1", "PersistentVolumeClaim", "small", claim("1Gi"));
    put("v1", "PersistentVolumeClaim", "large", claim("9Gi"));
    put("v1", "Pod", "p", map("spec", map("volumes", List.of(uses("small"), uses("large")))));
    pod = bed.queue().pop();
    int node = bed.cluster().nodeId("n1");
    plan = VolumeBinding.plan(pod.pod().spec(), bed.cluster().nodes().node(node), volumes);
    assertThat(bed.intake().assume(pod, node, List.of(), plan)).isTrue();
  }

  @Test
  void areKeptForIt() {
    assertThat(plan.found()).hasSize(1);
    assertThat(plan.toMake()).hasSize(1);
    assertThat(volumes.volume("v").claim().name()).isEqualTo("small");
    assertThat(volumes.claim("default", "large").selectedNode()).isEqualTo("n1");
    bed.intake().bound(pod);
    assertThat(volumes.volume("v").claim()).isNotNull();
  }

  @Test
  void areFreeAgainIfItDoesNotGetThere() {
    bed.intake().bindingFailed(pod, "n1", Set.of());
    assertThat(volumes.volume("v").claim()).isNull();
    assertThat(volumes.claim("default", "large").selectedNode()).isNull();
  }

  @Test
  void whatTheServerToldSinceStays() {
    put("v1", "PersistentVolume", "v", volume("Released"));
    put("v1", "PersistentVolumeClaim", "large", claim("8Gi"));
    PersistentVolume told = volumes.volume("v");
    bed.intake().bindingFailed(pod, "n1", Set.of());
    assertThat(volumes.volume("v")).isSameAs(told);
    assertThat(volumes.claim("default", "large").requestBytes()).hasToString("8589934592");
  }

  private static Map<String, Object> uses(String claim) {
    return map("name", claim, "persistentVolumeClaim", map("claimName", claim));
  }

  private static Map<String, Object> volume(String phase) {
    return map(
        "spec",
        map(
            "storageClassName",
            "local",
            "capacity",
            map("storage", "2Gi"),
            "accessModes",
            List.of("ReadWriteOnce")),
        "status",
        map("phase", phase));
  }

  private static Map<String, Object> claim(String size) {
    return map(
        "spec",
        map(
            "storageClassName",
            "local",
            "accessModes",
            List.of("ReadWriteOnce"),
            "resources",
            map("requests", map("storage", size))));
  }

  private void put(String version, String kind, String name, Map<String, Object> rest) {
    Map<String, Object> object = map("apiVersion", version, "kind", kind);
    object.putAll(rest);
    object.put("metadata", map("name", name, "namespace", "default", "uid", "uid of " + name));
    bed.reader().read(Fields.of(object, ""));
  }
}
