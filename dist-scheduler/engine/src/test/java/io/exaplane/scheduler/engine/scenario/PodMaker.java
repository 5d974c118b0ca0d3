// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes up pods that use some of the features that a scenario is about. */
final class PodMaker {
  /** What a scenario's pods may use. */
  enum Feature {
    SELECTOR,
    TOLERATIONS,
    PORTS,
    SPREAD,
    AFFINITY,
    PRIORITY,
    IMAGES,
    RESIZE,
    POD_RESOURCES,
    INIT_CONTAINERS,
    SCALARS,
    FEATURES,
    GATES,
    VOLUMES,
    DEVICES,
    TERMINATING
  }

  static final int LOWEST_PRIORITY = -5;

  static final List<String> NAMESPACES = List.of("default", "shop", "bank");
  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  private final Dice dice;
  private final Set<Feature> features;
  private final TermMaker terms;
  private final VolumeMaker volumes;
  private final ClaimMaker claims;
  private final int nodes;
  private int made;

  PodMaker(Dice dice, Set<Feature> features, VolumeMaker volumes, ClaimMaker claims, int nodes) {
    this.volumes = volumes;
    this.claims = claims;
    this.nodes = nodes;
    this.dice = dice;
    this.features = features.isEmpty() ? EnumSet.noneOf(Feature.class) : EnumSet.copyOf(features);
    this.terms = new TermMaker(dice);
  }

  /**
   * A pod on a node, or, with a null node, one that waits.
   *
   * @param before how many pods were on the node before it
   */
  Map<String, Object> pod(String node, String nominated, int before) {
    return pod(node, nominated, before, false);
  }

  private Map<String, Object> pod(String node, String nominated, int before, boolean twins) {
    int i = made++;
    boolean waits = node == null;
    boolean terminating = !waits && uses(Feature.TERMINATING, 0.2);
    Map<String, Object> status =
        map(
            "phase",
            waits ? "Pending" : dice.chance(0.05) ? dice.one("Succeeded", "Failed") : "Running",
            "nominatedNodeName",
            nominated);
    if (!waits) {
      status.put("startTime", EPOCH.plusSeconds(before * 60L + (twins ? 30 : 0)).toString());
    }
    List<Map<String, Object>> containers = containers();
    if (!waits && uses(Feature.RESIZE, 0.3)) {
      resize(containers, status);
    }
    if (terminating && dice.chance(0.5)) {
      status.put(
          "conditions",
          List.of(
              map(
                  "type",
                  "DisruptionTarget",
                  "status",
                  "True",
                  "reason",
                  dice.one("PreemptionByScheduler", "EvictionByEvictionAPI"))));
    }
    String name = (waits ? "p" : "e") + i;
    String namespace = dice.one(NAMESPACES);
    Map<String, Object> spec = spec(node, namespace, name, nominated != null, containers);
    if (waits && uses(Feature.DEVICES, 0.7)) {
      claims.ofPod(namespace, name, spec, status);
    }
    if (waits && uses(Feature.DEVICES, 0.05)) {
      claims.leftBehind(namespace, name);
    }
    return map(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        map(
            "name",
            name,
            "namespace",
            namespace,
            "uid",
            "uid-" + name,
            "creationTimestamp",
            EPOCH.plusSeconds(i).toString(),
            "deletionTimestamp",
            terminating ? "2026-02-01T00:00:00Z" : null,
            "deletionGracePeriodSeconds",
            terminating ? 30 : null,
            "finalizers",
            terminating ? List.of("example.org/keep") : null,
            "labels",
            labels(),
            "ownerReferences",
            owner()),
        "spec",
        spec,
        "status",
        status);
  }

  /** Equal pods, one on each node. */
  List<Map<String, Object>> onEach(int nodes, int before) {
    Map<String, Object> first = pod("n0", null, before, true);
    List<Map<String, Object>> pods = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      Map<String, Object> pod = new LinkedHashMap<>(first);
      pod.put("metadata", with(first, "metadata", "name", "t" + made + "-" + node));
      pod.put("spec", with(first, "spec", "nodeName", "n" + node));
      pods.add(pod);
    }
    made++;
    return pods;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> with(
      Map<String, Object> pod, String part, String field, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>((Map<String, Object>) pod.get(part));
    changed.put(field, value);
    if (field.equals("name")) {
      changed.put("uid", "uid-" + value);
    }
    return changed;
  }

  private Map<String, Object> spec(
      String node,
      String namespace,
      String name,
      boolean nominated,
      List<Map<String, Object>> containers) {
    boolean waits = node == null;
    Map<String, Object> spec =
        map(
            "nodeName", node,
            "containers", containers,
            "initContainers", uses(Feature.INIT_CONTAINERS, 0.6) ? initContainers() : null,
            "overhead", dice.chance(0.1) ? map("cpu", "150m", "memory", "64Mi") : null,
            "resources", uses(Feature.POD_RESOURCES, 0.6) ? map("requests", podRequests()) : null,
            "priority",
                uses(Feature.PRIORITY, 0.8)
                    ? dice.one(0, 10, 10, 100, 1000, LOWEST_PRIORITY, 2_000_000_000)
                    : null,
            "preemptionPolicy", uses(Feature.PRIORITY, 0.1) ? "Never" : null,
            "schedulingGates",
                waits && uses(Feature.GATES, 0.1)
                    ? List.of(map("name", "example.org/one"), map("name", "two"))
                    : null,
            "nodeSelector",
                uses(Feature.SELECTOR, 0.3)
                    ? dice.one(Map.of("disk", "ssd"), Map.of("disk", "hdd", "rack", "r1"), Map.of())
                    : null,
            "tolerations", uses(Feature.TOLERATIONS, 0.7) ? terms.tolerations() : null,
            "topologySpreadConstraints",
                uses(Feature.SPREAD, 0.6) ? terms.spreadConstraints() : null,
            "hostNetwork", uses(Feature.FEATURES, 0.3) ? true : null);
    if (spec.containsKey("hostNetwork") && dice.chance(0.8)) {
      spec.put("hostUsers", dice.chance(0.3));
    }
    Map<String, Object> affinity =
        map(
            "nodeAffinity", uses(Feature.SELECTOR, 0.6) ? terms.nodeAffinity() : null,
            "podAffinity", uses(Feature.AFFINITY, 0.35) ? terms.podAffinity() : null,
            "podAntiAffinity", uses(Feature.AFFINITY, 0.45) ? terms.podAffinity() : null);
    if (!affinity.isEmpty()) {
      spec.put("affinity", affinity);
    }
    if (uses(Feature.VOLUMES, 0.7)) {
      spec.put("volumes", volumes.ofPod(namespace, name, nodes, waits && !nominated));
    } else if (uses(Feature.IMAGES, 0.2)) {
      String image = dice.one(NodeMaker.IMAGES);
      spec.put("volumes", List.of(map("name", "data", "image", map("reference", image))));
    }
    return spec;
  }

  private boolean uses(Feature feature, double probability) {
    return features.contains(feature) && dice.chance(probability);
  }

  private Map<String, Object> labels() {
    Map<String, Object> labels = new LinkedHashMap<>();
    if (!dice.chance(0.1)) {
      labels.put("app", dice.one("web", "db", "cache"));
    }
    if (dice.chance(0.6)) {
      labels.put("tier", dice.one("front", "back"));
    }
    if (dice.chance(0.3)) {
      labels.put("version", dice.one("1", "2"));
    }
    return labels.isEmpty() ? null : labels;
  }

  private List<Map<String, Object>> owner() {
    if (!dice.chance(0.3)) {
      return null;
    }
    return List.of(
        dice.one(
            map(
                "apiVersion",
                "apps/v1",
                "kind",
                "ReplicaSet",
                "name",
                "web",
                "uid",
                "1",
                "controller",
                true),
            map(
                "apiVersion",
                "apps/v1",
                "kind",
                "StatefulSet",
                "name",
                "db",
                "uid",
                "2",
                "controller",
                true),
            map(
                "apiVersion",
                "v1",
                "kind",
                "ReplicationController",
                "name",
                "old",
                "uid",
                "3",
                "controller",
                true),
            map(
                "apiVersion",
                "batch/v1",
                "kind",
                "Job",
                "name",
                "job",
                "uid",
                "4",
                "controller",
                true),
            map("apiVersion", "apps/v1", "kind", "ReplicaSet", "name", "web", "uid", "5")));
  }

  private List<Map<String, Object>> containers() {
    List<Map<String, Object>> containers = new ArrayList<>();
    for (int i = 0, n = dice.chance(0.3) ? 2 : 1; i < n; i++) {
      containers.add(container("c" + i));
    }
    return containers;
  }

  private Map<String, Object> container(String name) {
    String image =
        features.contains(Feature.IMAGES)
            ? dice.one(
                dice.one(NodeMaker.IMAGES), "plain", "registry.example.org:5000/tool", "unknown")
            : "unknown";
    Map<String, Object> requests = requests();
    return map(
        "name", name,
        "image", image,
        "resources", requests.isEmpty() ? null : map("requests", requests),
        "ports", uses(Feature.PORTS, 0.5) ? List.of(port()) : null,
        "restartPolicyRules",
            uses(Feature.FEATURES, 0.3)
                ? List.of(
                    map(
                        "action",
                        "RestartAllContainers",
                        "exitCodes",
                        map("operator", "In", "values", List.of(1))))
                : null);
  }

  private Map<String, Object> port() {
    return map(
        "containerPort", 80,
        "hostPort", dice.one(80, 443, 8080, null),
        "hostIP", dice.one("127.0.0.1", "0.0.0.0", "10.0.0.1", null, null),
        "protocol", dice.one("TCP", "UDP", null));
  }

  private Map<String, Object> requests() {
    return map(
        "cpu",
        dice.one("100m", "250m", "1", "0.5", "1500m", "0", null, null),
        "memory",
        dice.one("64Mi", "200M", "1Gi", "1.5Gi", "3Gi", "0", null, null),
        "ephemeral-storage",
        dice.one("1Gi", "20Gi", null, null, null, null),
        "example.org/gpu",
        uses(Feature.SCALARS, 0.4) ? dice.one("1", "2", "0") : null,
        "other.org/fpga",
        uses(Feature.SCALARS, 0.1) ? "1" : null,
        "hugepages-2Mi",
        uses(Feature.SCALARS, 0.2) ? "32Mi" : null,
        "deviceclass.resource.kubernetes.io/gpu",
        uses(Feature.DEVICES, 0.08) ? dice.one("1", "2") : null);
  }

  private Map<String, Object> podRequests() {
    return map(
        "cpu",
        dice.one("700m", "2", null),
        "memory",
        dice.one("512Mi", "2Gi", null),
        "hugepages-2Mi",
        dice.one("32Mi", null, null));
  }

  private List<Map<String, Object>> initContainers() {
    List<Map<String, Object>> containers = new ArrayList<>();
    for (int i = 0, n = dice.between(1, 3); i < n; i++) {
      Map<String, Object> container = container("i" + i);
      if (dice.chance(0.5)) {
        container.put("restartPolicy", "Always");
      }
      containers.add(container);
    }
    return containers;
  }

  /** As while the kubelet changes what containers have. */
  private void resize(List<Map<String, Object>> containers, Map<String, Object> status) {
    List<Map<String, Object>> statuses = new ArrayList<>();
    for (Map<String, Object> container : containers) {
      statuses.add(
          map(
              "name",
              container.get("name"),
              "image",
              "unknown",
              "resources",
              dice.chance(0.8)
                  ? map("requests", map("cpu", dice.one("300m", "2", "50m"), "memory", "300Mi"))
                  : null,
              "allocatedResources",
              dice.chance(0.8)
                  ? map("cpu", dice.one("400m", "1"), "memory", dice.one("100Mi", "2Gi"))
                  : null));
    }
    status.put("containerStatuses", statuses);
    if (dice.chance(0.5)) {
      status.put(
          "resources", map("requests", map("cpu", dice.one("900m", "3"), "memory", "700Mi")));
      status.put("allocatedResources", map("cpu", "800m"));
    }
    if (dice.chance(0.4)) {
      status.put(
          "conditions",
          List.of(
              map(
                  "type",
                  "PodResizePending",
                  "status",
                  "True",
                  "reason",
                  dice.one("Infeasible", "Deferred"))));
    }
  }
}
