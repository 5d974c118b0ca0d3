// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import static io.exaplane.scheduler.engine.model.Version.V1_36;
import static io.exaplane.scheduler.engine.model.Version.V1_37;
import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.node;
import static io.exaplane.scheduler.engine.scenario.Plain.running;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What 1.37 decides otherwise than 1.36, each on the same cluster. */
class VersionsTest {
  private static final String STORAGE = "storage.k8s.io/v1";
  private static final String DEVICES = "resource.k8s.io/v1";

  private final List<Map<String, Object>> objects = new ArrayList<>();

  @Test
  void aDriverThatHasToBeInstalledKeepsPodsFromNodesWithoutIt() {
    twoNodes();
    Map<String, Object> spec = map("preventPodSchedulingIfMissing", true);
    objects.add(of(STORAGE, "CSIDriver", "csi", map("spec", spec)));
    for (String name : List.of("n1", "n2")) {
      Map<String, Object> other = map("name", name.equals("n1") ? "csi" : "other", "nodeID", name);
      objects.add(of(STORAGE, "CSINode", name, map("spec", map("drivers", List.of(other)))));
    }
    objects.add(storageClass("csi"));
    objects.add(claim("1Gi"));
    objects.add(claiming());
    assertThat(decide(V1_36).judgement().feasibleCount()).isEqualTo(2);
    Decision decision = decide(V1_37);
    assertThat(decision.node()).isEqualTo("n1");
    assertThat(refusals(decision.judgement()))
        .containsOnly(
            Map.entry("n2", "NodeVolumeLimits [csi CSI driver is not installed on the node]"));
  }

  @Test
  void roomForVolumesThatAreToBeMadeIsWorthSomething() {
    twoNodes();
    objects.add(of(STORAGE, "CSIDriver", "csi", map("spec", map("storageCapacity", true))));
    objects.add(storageClass("csi"));
    for (Map.Entry<String, String> room : Map.of("n1", "10Gi", "n2", "40Gi").entrySet()) {
      Map<String, Object> at = map("matchLabels", map("on", room.getKey()));
      objects.add(
          of(
              STORAGE,
              "CSIStorageCapacity",
              "room-" + room.getKey(),
              map("storageClassName", "sc", "capacity", room.getValue(), "nodeTopology", at)));
    }
    objects.add(claim("5Gi"));
    objects.add(claiming());
    assertThat(scores(decide(V1_36), "VolumeBinding")).isEmpty();
    assertThat(scores(decide(V1_37), "VolumeBinding")).isEqualTo(Map.of("n1", 50L, "n2", 88L));
  }

  @Test
  void theMostOfAVolumeThatIsFoundIsLeftOver() {
    twoNodes();
    objects.add(storageClass("kubernetes.io/no-provisioner"));
    for (Map.Entry<String, String> size : Map.of("n1", "20Gi", "n2", "5Gi").entrySet()) {
      objects.add(volume(size.getKey(), size.getValue()));
    }
    objects.add(claim("5Gi"));
    objects.add(claiming());
    assertThat(scores(decide(V1_37), "VolumeBinding")).isEqualTo(Map.of("n1", 75L, "n2", 0L));
    assertThat(decide(V1_37).node()).isEqualTo("n1");
    Cluster cluster = Clusters.of(objects, V1_37);
    Decider quick = new Decider(cluster, Profile.defaults(V1_37), 0, false);
    for (int i = 0; i < 3; i++) {
      assertThat(quick.decide(cluster.pod("default/p")).node()).isEqualTo("n1");
    }
  }

  @Test
  void imagesThatAreVolumesRaiseWhatThereIsToReach() {
    for (String name : List.of("n1", "n2")) {
      Map<String, Object> node = node(name, "4");
      Map<String, Object> image = map("names", List.of("model:1"), "sizeBytes", 1_000L << 20);
      node.put(
          "status",
          map(
              "allocatable",
              map("cpu", "4", "memory", "4Gi", "pods", "9"),
              "images",
              List.of(image)));
      objects.add(node);
    }
    Map<String, Object> image = map("name", "v", "image", map("reference", "model:1"));
    objects.add(with(waiting("p", map("cpu", "1"), map()), "volumes", List.of(image)));
    assertThat(scores(decide(V1_36), "ImageLocality")).containsEntry("n1", 100L);
    assertThat(scores(decide(V1_37), "ImageLocality")).containsEntry("n1", 49L);
  }

  @Test
  void selectorsOfNamespacesMeanNoOthers() {
    twoNodes();
    Map<String, Object> not =
        map("matchExpressions", List.of(map("key", "a", "operator", "DoesNotExist")));
    Map<String, Object> term =
        map(
            "topologyKey",
            "on",
            "labelSelector",
            map("matchLabels", map("app", "x")),
            "namespaceSelector",
            not);
    objects.add(of("v1", "Namespace", "default", map()));
    Map<String, Object> elsewhere = labelled(running("e", "n1", map(), map()), "other");
    objects.add(of("v1", "Namespace", "other", map()));
    objects.getLast().put("metadata", map("name", "other", "labels", map("a", "b")));
    objects.add(elsewhere);
    Map<String, Object> far = map("requiredDuringSchedulingIgnoredDuringExecution", List.of(term));
    objects.add(
        with(waiting("p", map("cpu", "1"), map()), "affinity", map("podAntiAffinity", far)));
    assertThat(decide(V1_36).judgement().feasibleCount()).isEqualTo(1);
    assertThat(decide(V1_37).judgement().feasibleCount()).isEqualTo(2);
  }

  @Test
  void aPodAsksNoMoreBudgetsOnceOneIsUsedUp() {
    objects.add(node("n1", "2"));
    for (String name : List.of("a", "b")) {
      Map<String, Object> pod = running(name, "n1", map("cpu", "1"), map());
      pod.put("metadata", map("name", name, "namespace", "default", "labels", map(name, "1")));
      objects.add(with(pod, "priority", name.equals("a") ? 1 : 0));
    }
    // Both are covered by the second, a by the first, too, which is used up.
    objects.add(budget("first", 0, map("key", "a", "operator", "Exists")));
    objects.add(budget("second", 1, map("key", "never", "operator", "DoesNotExist")));
    objects.add(with(waiting("p", map("cpu", "2"), map()), "priority", 10));
    assertThat(violations(V1_36)).isEqualTo(2);
    assertThat(violations(V1_37)).isEqualTo(1);
  }

  @Test
  void itIsToldWhereThereIsRoomIfOthersGo() {
    objects.add(node("n1", "2"));
    objects.add(running("a", "n1", map("cpu", "2"), map()));
    objects.add(with(waiting("p", map("cpu", "2"), map()), "priority", 10));
    assertThat(decide(V1_36).message()).isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
    assertThat(decide(V1_37).message())
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement"
                + " for pod on node n1, preempting 1 victims");
  }

  @Test
  void whatContainersWantAndWhatTheyGotIsAddedUpApart() {
    objects.add(node("n1", "4"));
    Map<String, Object> pod = running("a", "n1", map("cpu", "1"), map());
    Map<String, Object> second = map("name", "d", "resources", map("requests", map("cpu", "1")));
    List<Object> containers =
        new ArrayList<>((List<?>) ((Map<?, ?>) pod.get("spec")).get("containers"));
    containers.add(second);
    with(pod, "containers", containers);
    pod.put(
        "status",
        map("phase", "Running", "containerStatuses", List.of(got("c", "2"), got("d", "500m"))));
    objects.add(pod);
    objects.add(waiting("p", map("cpu", "1500m"), map()));
    // The most of each is 2 and 1, the most of all 2500m: of four, one or one and a half are left.
    assertThat(decide(V1_36).node()).isEmpty();
    assertThat(decide(V1_37).node()).isEqualTo("n1");
  }

  private static Map<String, Object> got(String container, String cpu) {
    return map(
        "name",
        container,
        "resources",
        map("requests", map("cpu", cpu)),
        "allocatedResources",
        map("cpu", cpu));
  }

  @Test
  void administratorsTaintDevices() {
    twoNodes();
    objects.add(of(DEVICES, "DeviceClass", "gpu", map("spec", map())));
    for (String name : List.of("n1", "n2")) {
      Map<String, Object> pool = map("name", name, "generation", 1, "resourceSliceCount", 1);
      Map<String, Object> spec =
          map(
              "driver",
              "gpu.example.org",
              "nodeName",
              name,
              "pool",
              pool,
              "devices",
              List.of(map("name", "g0")));
      objects.add(of(DEVICES, "ResourceSlice", "s-" + name, map("spec", spec)));
    }
    Map<String, Object> exactly = map("name", "r", "exactly", map("deviceClassName", "gpu"));
    Map<String, Object> requests = map("devices", map("requests", List.of(exactly)));
    Map<String, Object> claim = of(DEVICES, "ResourceClaim", "c", map("spec", requests));
    claim.put("metadata", map("name", "c", "namespace", "default", "uid", "c"));
    objects.add(claim);
    Map<String, Object> reference = map("name", "c", "resourceClaimName", "c");
    objects.add(with(waiting("p", map("cpu", "1"), map()), "resourceClaims", List.of(reference)));
    Map<String, Object> taint = map("key", "repair", "effect", "NoSchedule");
    Map<String, Object> rule =
        map("deviceSelector", map("pool", "n1", "device", "g0"), "taint", taint);
    objects.add(of(DEVICES, "DeviceTaintRule", "mend", map("spec", rule)));
    assertThat(decide(V1_36).judgement().feasibleCount()).isEqualTo(2);
    Cluster cluster = Clusters.of(objects, V1_37);
    Decider decider = new Decider(cluster, Profile.defaults(V1_37), 0, true);
    Decision decision = decider.decide(cluster.pod("default/p"));
    assertThat(decision.node()).isEqualTo("n2");
    assertThat(decision.judgement().feasibleCount()).isEqualTo(1);
    cluster.devices().removeRule("mend");
    Decision later = decider.decide(cluster.pod("default/p"));
    assertThat(later.judgement().feasibleCount()).isEqualTo(2);
  }

  private void twoNodes() {
    for (String name : List.of("n1", "n2")) {
      Map<String, Object> node = node(name, "4");
      node.put("metadata", map("name", name, "labels", map("on", name)));
      objects.add(node);
    }
  }

  private static Map<String, Object> of(
      String version, String kind, String name, Map<String, Object> rest) {
    Map<String, Object> object =
        map("apiVersion", version, "kind", kind, "metadata", map("name", name));
    object.putAll(rest);
    return object;
  }

  private static Map<String, Object> storageClass(String provisioner) {
    return of(
        STORAGE,
        "StorageClass",
        "sc",
        map("provisioner", provisioner, "volumeBindingMode", "WaitForFirstConsumer"));
  }

  private static Map<String, Object> claim(String size) {
    Map<String, Object> spec =
        map(
            "storageClassName",
            "sc",
            "accessModes",
            List.of("ReadWriteOnce"),
            "resources",
            map("requests", map("storage", size)));
    Map<String, Object> claim = of("v1", "PersistentVolumeClaim", "c", map("spec", spec));
    claim.put("metadata", map("name", "c", "namespace", "default", "uid", "c"));
    return claim;
  }

  private static Map<String, Object> volume(String node, String size) {
    Map<String, Object> on = map("key", "on", "operator", "In", "values", List.of(node));
    Map<String, Object> terms =
        map("nodeSelectorTerms", List.of(map("matchExpressions", List.of(on))));
    Map<String, Object> spec =
        map(
            "storageClassName",
            "sc",
            "accessModes",
            List.of("ReadWriteOnce"),
            "capacity",
            map("storage", size),
            "nodeAffinity",
            map("required", terms));
    return of(
        "v1",
        "PersistentVolume",
        "pv-" + node,
        map("spec", spec, "status", map("phase", "Available")));
  }

  private static Map<String, Object> claiming() {
    Map<String, Object> volume = map("name", "v", "persistentVolumeClaim", map("claimName", "c"));
    return with(waiting("p", map("cpu", "1"), map()), "volumes", List.of(volume));
  }

  private static Map<String, Object> labelled(Map<String, Object> pod, String namespace) {
    pod.put("metadata", map("name", "e", "namespace", namespace, "labels", map("app", "x")));
    return pod;
  }

  private static Map<String, Object> budget(
      String name, int allowed, Map<String, Object> expression) {
    Map<String, Object> selector = map("matchExpressions", List.of(expression));
    Map<String, Object> budget =
        of(
            "policy/v1",
            "PodDisruptionBudget",
            name,
            map("spec", map("selector", selector), "status", map("disruptionsAllowed", allowed)));
    budget.put("metadata", map("name", name, "namespace", "default"));
    return budget;
  }

  private int violations(Version version) {
    Cluster cluster = Clusters.of(objects, version);
    Decider decider = new Decider(cluster, Profile.defaults(version), 0, true);
    Decision decision = decider.decide(cluster.pod("default/p"));
    return decider
        .preemption(decision.pod())
        .candidates(decision.pod(), decision.judgement(), null)
        .getFirst()
        .budgetViolations();
  }

  private Decision decide(Version version) {
    Cluster cluster = Clusters.of(objects, version);
    Decider decider = new Decider(cluster, Profile.defaults(version), 0, true);
    return decider.decide(cluster.pod("default/p"));
  }

  private Map<String, String> refusals(Judgement judgement) {
    Map<String, String> refusals = new TreeMap<>();
    for (int node = 0; node < 2; node++) {
      if (judgement.isRefused(node)) {
        refusals.put(
            "n" + (node + 1),
            judgement.refusal(node).plugin() + " " + judgement.refusal(node).reasons());
      }
    }
    return refusals;
  }

  private static Map<String, Long> scores(Decision decision, String plugin) {
    Map<String, Long> scores = new TreeMap<>();
    Judgement judgement = decision.judgement();
    int scorer = judgement.scorers().indexOf(plugin);
    for (int i = 0; scorer >= 0 && i < judgement.feasibleCount(); i++) {
      scores.put("n" + (judgement.feasible(i) + 1), judgement.score(scorer, i));
    }
    return scores;
  }
}
