// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.DeviceId;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices between a decision and what the API server tells of it: one node has one device. */
class DevicesInFlightTest {
  private static final long SECOND = QueueBed.SECOND;
  private static final DeviceId DEVICE = new DeviceId("gpu.example.org", "n1", "g0");

  private final Profile profile = Profile.defaults(Version.newest());
  private final QueueBed bed = QueueBed.of(profile);
  private final Cluster cluster = bed.cluster();
  private final SchedulingQueue queue = bed.queue();
  private final Intake intake = bed.intake();
  private final ObjectReader reader = bed.reader();
  private final Decider decider = new Decider(cluster, profile, 0, false);
  private int second;

  @BeforeEach
  void oneNodeWithOneDevice() {
    put(
        map(
            "kind",
            "Node",
            "metadata",
            map("name", "n1"),
            "status",
            map("allocatable", map("cpu", "4", "memory", "1Gi", "pods", "110"))));
    put(map("apiVersion", "resource.k8s.io/v1", "kind", "DeviceClass", "metadata", name("gpu")));
    Map<String, Object> pool = map("name", "n1", "generation", 1, "resourceSliceCount", 1);
    put(
        map(
            "apiVersion",
            "resource.k8s.io/v1",
            "kind",
            "ResourceSlice",
            "metadata",
            name("s1"),
            "spec",
            map(
                "driver",
                DEVICE.driver(),
                "nodeName",
                "n1",
                "pool",
                pool,
                "devices",
                List.of(name("g0")))));
  }

  @Test
  void aPodWhoseClaimIsNotMadeYetIsNotAskedFor() {
    put(claiming("first"));
    assertThat(queue.pop()).isNull();
    put(claim("first", null));
    assertThat(queue.pop().pod().name()).isEqualTo("first");
  }

  @Test
  void whatAPodOnItsWayIsGivenNobodyElseGets() {
    put(claim("first", null));
    put(claim("second", null));
    put(claiming("first"));
    put(claiming("second"));
    QueuedPod first = queue.pop();
    Decision decision = decide(first);
    assertThat(decision.node()).isEqualTo("n1");
    intake.assume(first, cluster.nodeId("n1"), decision.grants(), VolumePlan.NONE);
    QueuedPod second = queue.pop();
    assertThat(decide(second).node()).isEmpty();
    intake.refused(second, decider.rejectors(cluster.pod("default/second")));

    put(claim("first", "n1"));
    assertThat(cluster.devices().isTaken(DEVICE)).isTrue();
    put(claim("first", null));
    assertThat(cluster.devices().isTaken(DEVICE)).isFalse();
    assertThat(queue.get("default/second").place()).isNotEqualTo(QueuedPod.Place.UNSCHEDULABLE);
  }

  @Test
  void aBindingThatFailsGivesDevicesBack() {
    put(claim("first", null));
    put(claiming("first"));
    QueuedPod first = queue.pop();
    intake.assume(first, cluster.nodeId("n1"), decide(first).grants(), VolumePlan.NONE);
    assertThat(cluster.devices().isTaken(DEVICE)).isTrue();
    intake.bindingFailed(first, "n1", Set.of());
    assertThat(cluster.devices().isTaken(DEVICE)).isFalse();
  }

  /** It was written and is not told yet: another pod must not get the same. */
  @Test
  void whatAClaimGotAllTheSameIsItsUntilItIsTold() {
    put(claim("first", null));
    put(claim("second", null));
    put(claiming("first"));
    QueuedPod first = queue.pop();
    Decision decision = decide(first);
    intake.assume(first, cluster.nodeId("n1"), decision.grants(), VolumePlan.NONE);
    String uid = decision.grants().getFirst().claim().uid();
    intake.bindingFailed(first, "n1", Set.of(uid));
    put(claiming("second"));
    assertThat(decide(queue.pop()).node()).isEmpty();
    put(claim("first", "n1"));
    assertThat(cluster.devices().isTaken(DEVICE)).isTrue();
    put(claim("first", null));
    assertThat(cluster.devices().isTaken(DEVICE)).isFalse();
  }

  @Test
  void aPodThatIsBoundKeepsItsDevicesWhateverIsSaidLater() {
    put(claim("first", null));
    put(claiming("first"));
    QueuedPod first = queue.pop();
    intake.assume(first, cluster.nodeId("n1"), decide(first).grants(), VolumePlan.NONE);
    intake.bound(first);
    intake.bindingFailed(first, "n1", Set.of());
    assertThat(cluster.devices().isTaken(DEVICE)).isTrue();
  }

  @Test
  void whatIsGoneIsNotGiven() {
    put(claim("first", null));
    put(claiming("first"));
    QueuedPod first = queue.pop();
    assertThat(decide(first).node()).isEqualTo("n1");
    reader.remove("DeviceClass", "", "gpu");
    assertThat(decide(first).node()).isEmpty();
    put(map("apiVersion", "resource.k8s.io/v1", "kind", "DeviceClass", "metadata", name("gpu")));
    assertThat(decide(first).node()).isEqualTo("n1");
    reader.remove("ResourceSlice", "", "s1");
    assertThat(decide(first).node()).isEmpty();
  }

  @Test
  void theClaimThatIsMadeForExtendedResourcesTakesTheDevicesThatWereKept() {
    Map<String, Object> pod = claiming("first");
    Map<String, Object> requests = map("deviceclass.resource.kubernetes.io/gpu", "1");
    pod.put(
        "spec",
        map("containers", List.of(map("name", "c", "resources", map("requests", requests)))));
    put(pod);
    QueuedPod first = queue.pop();
    Decision decision = decide(first);
    assertThat(decision.grants()).singleElement().satisfies(g -> assertThat(g.isNew()).isTrue());
    intake.assume(first, cluster.nodeId("n1"), decision.grants(), VolumePlan.NONE);
    Map<String, Object> claim = claim("first-extended-resources-x", "n1");
    claim.put(
        "metadata",
        map(
            "name",
            "first-extended-resources-x",
            "namespace",
            "default",
            "annotations",
            map("resource.kubernetes.io/extended-resource-claim", "true"),
            "ownerReferences",
            List.of(map("uid", "uid-first", "controller", true))));
    put(claim);
    cluster.devices().removeClaim("default/first-extended-resources-x");
    assertThat(cluster.devices().isTaken(DEVICE)).isFalse();
  }

  private Decision decide(QueuedPod pod) {
    return decider.decide(cluster.pod(pod.pod().key()));
  }

  private void put(Map<String, Object> object) {
    intake.at(++second * SECOND);
    reader.read(Fields.of(object, ""));
  }

  private static Map<String, Object> name(String name) {
    return map("name", name);
  }

  private static Map<String, Object> claiming(String name) {
    List<Map<String, Object>> claims = List.of(map("name", "c", "resourceClaimName", name));
    return map(
        "kind",
        "Pod",
        "metadata",
        map("name", name, "namespace", "default", "uid", "uid-" + name),
        "spec",
        map("resourceClaims", claims, "containers", List.of(name("c"))));
  }

  private static Map<String, Object> claim(String name, String node) {
    Map<String, Object> request = map("name", "q", "exactly", map("deviceClassName", "gpu"));
    Map<String, Object> result =
        map("request", "q", "driver", DEVICE.driver(), "pool", "n1", "device", "g0");
    return map(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "ResourceClaim",
        "metadata",
        map("name", name, "namespace", "default", "uid", "uid-of-" + name),
        "spec",
        map("devices", map("requests", List.of(request))),
        "status",
        node == null ? null : map("allocation", map("devices", map("results", List.of(result)))));
  }
}
