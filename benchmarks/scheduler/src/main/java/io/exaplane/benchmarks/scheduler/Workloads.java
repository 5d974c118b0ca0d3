// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import static io.exaplane.benchmarks.scheduler.Objects.claim;
import static io.exaplane.benchmarks.scheduler.Objects.near;
import static io.exaplane.benchmarks.scheduler.Objects.node;
import static io.exaplane.benchmarks.scheduler.Objects.nodeAffinity;
import static io.exaplane.benchmarks.scheduler.Objects.pod;
import static io.exaplane.benchmarks.scheduler.Objects.preferred;
import static io.exaplane.benchmarks.scheduler.Objects.required;
import static io.exaplane.benchmarks.scheduler.Objects.small;
import static io.exaplane.benchmarks.scheduler.Objects.spec;
import static io.exaplane.benchmarks.scheduler.Objects.spread;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Twins of upstream's scheduler_perf: same names, sizes and templates. Source:
 * test/integration/scheduler_perf of Kubernetes 1.36. What upstream lets happen every so many
 * milliseconds happens here every so many pods, so that both schedulers get the same.
 */
final class Workloads {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final List<String> MOONS = List.of("moon-1", "moon-2", "moon-3");
  private static final List<String> ONE_ZONE = List.of("zone1");
  private static final int TEAMS = 100;

  /** By name. */
  static final Map<String, Supplier<Workload>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("SchedulingBasic", () -> plain("SchedulingBasic", 1000, 10_000, Map.of()));
    ALL.put("Unschedulable", Workloads::unschedulable);
    ALL.put("SchedulingNodeAffinity", Workloads::inZones);
    ALL.put("SchedulingDaemonset", Workloads::daemonSet);
    ALL.put("TopologySpreading", () -> spreading("TopologySpreading", "DoNotSchedule"));
    ALL.put("PreferredTopologySpreading", Workloads::preferredSpreading);
    ALL.put("DefaultTopologySpreading", Workloads::defaultSpreading);
    ALL.put("SchedulingPodAntiAffinity", () -> antiAffinity(false));
    ALL.put("SchedulingPodMatchingAntiAffinity", () -> antiAffinity(true));
    ALL.put("SchedulingPodAffinity", Workloads::affinity);
    ALL.put(
        "SchedulingPreferredPodAffinity",
        () -> preference("SchedulingPreferredPodAffinity", "podAffinity", "red"));
    ALL.put(
        "SchedulingPreferredPodAntiAffinity",
        () -> preference("SchedulingPreferredPodAntiAffinity", "podAntiAffinity", "yellow"));
    ALL.put("MixedSchedulingBasePod", Workloads::mixed);
    ALL.put("SchedulingRequiredPodAntiAffinityWithNSSelector", Workloads::namespaceSelector);
    ALL.put("SchedulingInTreePVs", () -> volumes("SchedulingInTreePVs", false));
    ALL.put("SchedulingCSIPVs", () -> volumes("SchedulingCSIPVs", true));
    ALL.put("PreemptionBasic", Workloads::preemption);
  }

  private Workloads() {}

  private static List<Map<String, Object>> nodes(int count, List<String> zones) {
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "scheduler-perf-" + i;
      nodes.add(node(name, zones.isEmpty() ? Map.of() : Map.of(ZONE, zones.get(i % zones.size()))));
    }
    return nodes;
  }

  private static List<Map<String, Object>> pods(
      String namespace,
      String prefix,
      int count,
      Map<String, String> labels,
      Map<String, Object> spec) {
    List<Map<String, Object>> pods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pods.add(pod(namespace, prefix + i, labels, spec));
    }
    return pods;
  }

  private static List<Map<String, Object>> defaults(int count) {
    return pods("default", "init-", count, Map.of(), small(Map.of()));
  }

  private static Workload plain(String name, int init, int measured, Map<String, Object> more) {
    return new Workload(
        name,
        nodes(5000, List.of()),
        defaults(init),
        pods("default", "pod-", measured, Map.of(), small(more)),
        measured);
  }

  /** One pod in a hundred is too large for any node. */
  private static Workload unschedulable() {
    Workload basic = plain("Unschedulable", 100, 10_000, Map.of());
    List<Map<String, Object>> measured = new ArrayList<>();
    for (Map<String, Object> pod : basic.measured()) {
      if (measured.size() % 101 == 0) {
        String name = "large-" + measured.size();
        measured.add(pod("default", name, Map.of(), spec("9", "500Mi", Map.of("priority", 10))));
      }
      measured.add(pod);
    }
    return new Workload(basic.name(), basic.objects(), basic.init(), measured, 10_000);
  }

  private static Workload inZones() {
    Map<String, Object> zones =
        Map.of("key", ZONE, "operator", "In", "values", List.of("zone1", "zone2"));
    Map<String, Object> spec = small(nodeAffinity(Map.of("matchExpressions", List.of(zones))));
    return new Workload(
        "SchedulingNodeAffinity",
        nodes(5000, ONE_ZONE),
        pods("default", "init-", 5000, Map.of(), spec),
        pods("default", "pod-", 10_000, Map.of(), spec),
        10_000);
  }

  /** All pods for one node that can take them, of fifteen thousand. */
  private static Workload daemonSet() {
    List<Map<String, Object>> nodes = nodes(15_000, List.of());
    Map<String, Object> amounts = Map.of("cpu", "4", "memory", "32Gi", "pods", "90000");
    Map<String, Object> large = new LinkedHashMap<>(node("scheduler-perf-node", Map.of()));
    large.put("status", Map.of("capacity", amounts, "allocatable", amounts));
    nodes.add(large);
    Map<String, Object> field =
        Map.of("key", "metadata.name", "operator", "In", "values", List.of("scheduler-perf-node"));
    Map<String, Object> spec = spec("", "", nodeAffinity(Map.of("matchFields", List.of(field))));
    return new Workload(
        "SchedulingDaemonset",
        nodes,
        List.of(),
        pods("default", "pod-", 30_000, Map.of(), spec),
        30_000);
  }

  private static Workload spreading(String name, String whenUnsatisfiable) {
    Map<String, String> labels = Map.of("color", "blue");
    return new Workload(
        name,
        nodes(5000, MOONS),
        defaults(5000),
        pods("default", "pod-", 5000, labels, small(spread("blue", whenUnsatisfiable))),
        5000);
  }

  private static Workload preferredSpreading() {
    return spreading("PreferredTopologySpreading", "ScheduleAnyway");
  }

  private static Workload defaultSpreading() {
    List<Map<String, Object>> objects = nodes(5000, MOONS);
    objects.add(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Service",
            "metadata",
            Map.of("namespace", "service-ns", "name", "svc"),
            "spec",
            Map.of("selector", Map.of("app", "scheduler-perf"))));
    return new Workload(
        "DefaultTopologySpreading",
        objects,
        defaults(5000),
        pods("service-ns", "pod-", 10_000, Map.of("app", "scheduler-perf"), spec("", "", Map.of())),
        10_000);
  }

  private static Workload antiAffinity(boolean onlyMatching) {
    Map<String, String> labels = Map.of("color", "green");
    Map<String, Object> own = small(required("podAntiAffinity", near("green", HOSTNAME)));
    return new Workload(
        onlyMatching ? "SchedulingPodMatchingAntiAffinity" : "SchedulingPodAntiAffinity",
        nodes(5000, List.of()),
        pods("sched-0", "init-", 1000, labels, own),
        onlyMatching
            ? pods("sched-1", "pod-", 5000, labels, small(Map.of()))
            : pods("sched-1", "pod-", 2000, labels, own),
        onlyMatching ? 5000 : 2000);
  }

  private static Workload affinity() {
    Map<String, String> labels = Map.of("color", "blue");
    Map<String, Object> spec = small(required("podAffinity", near("blue", ZONE)));
    return new Workload(
        "SchedulingPodAffinity",
        nodes(5000, ONE_ZONE),
        pods("sched-0", "init-", 5000, labels, spec),
        pods("sched-1", "pod-", 5000, labels, spec),
        5000);
  }

  private static Workload preference(String name, String kind, String color) {
    Map<String, String> labels = Map.of("color", color);
    Map<String, Object> spec = small(preferred(kind, near(color, HOSTNAME)));
    return new Workload(
        name,
        nodes(5000, List.of()),
        pods("sched-0", "init-", 5000, labels, spec),
        pods("sched-1", "pod-", 5000, labels, spec),
        5000);
  }

  /** Pods of five kinds are there; then come plain ones. */
  private static Workload mixed() {
    List<Map<String, Object>> init = new ArrayList<>(defaults(2000));
    Map<String, Map<String, Object>> kinds = new LinkedHashMap<>();
    kinds.put("blue", required("podAffinity", near("blue", ZONE)));
    kinds.put("green", required("podAntiAffinity", near("green", HOSTNAME)));
    kinds.put("red", preferred("podAffinity", near("red", HOSTNAME)));
    kinds.put("yellow", preferred("podAntiAffinity", near("yellow", HOSTNAME)));
    kinds.forEach(
        (color, more) ->
            init.addAll(pods("sched-0", color + "-", 2000, Map.of("color", color), small(more))));
    return new Workload(
        "MixedSchedulingBasePod",
        nodes(5000, ONE_ZONE),
        init,
        pods("default", "pod-", 5000, Map.of(), small(Map.of())),
        5000);
  }

  /** A hundred namespaces of one team, and a selector that means them all. */
  private static Workload namespaceSelector() {
    String measured = "measure-ns-0";
    List<Map<String, Object>> objects = nodes(6000, List.of());
    List<Map<String, Object>> init = new ArrayList<>();
    Map<String, Object> term =
        Map.of(
            "labelSelector", Map.of("matchLabels", Map.of("color", "green")),
            "topologyKey", HOSTNAME,
            "namespaceSelector", Map.of("matchLabels", Map.of("team", "devops")));
    Map<String, Object> spec = small(required("podAntiAffinity", term));
    Map<String, String> labels = Map.of("color", "green");
    objects.add(namespace(measured));
    for (int i = 0; i < TEAMS; i++) {
      objects.add(namespace("init-ns-" + i));
      init.addAll(pods("init-ns-" + i, "init-", 40, labels, spec));
    }
    return new Workload(
        "SchedulingRequiredPodAntiAffinityWithNSSelector",
        objects,
        init,
        pods(measured, "pod-", 2000, labels, spec),
        2000);
  }

  private static Map<String, Object> namespace(String name) {
    return Map.of(
        "apiVersion", "v1",
        "kind", "Namespace",
        "metadata", Map.of("name", name, "labels", Map.of("team", "devops")));
  }

  private static Workload volumes(String name, boolean csi) {
    List<Map<String, Object>> objects = nodes(5000, List.of());
    if (csi) {
      for (Map<String, Object> node : List.copyOf(objects)) {
        objects.add(csiNode((String) ((Map<?, ?>) node.get("metadata")).get("name")));
      }
    }
    int count = csi ? 5000 : 2000;
    List<Map<String, Object>> init = withVolumes(objects, "init-", csi ? 5000 : 1000, csi);
    List<Map<String, Object>> measured = withVolumes(objects, "pod-", count, csi);
    return new Workload(name, objects, init, measured, count);
  }

  private static Map<String, Object> csiNode(String name) {
    Map<String, Object> driver =
        Map.of("name", "ebs.csi.aws.com", "nodeID", name, "allocatable", Map.of("count", 39));
    return Map.of(
        "apiVersion",
        "storage.k8s.io/v1",
        "kind",
        "CSINode",
        "metadata",
        Map.of("name", name),
        "spec",
        Map.of("drivers", List.of(driver)));
  }

  /** Pods, each with a claim and a volume of its own. */
  private static List<Map<String, Object>> withVolumes(
      List<Map<String, Object>> objects, String prefix, int count, boolean csi) {
    List<Map<String, Object>> pods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String id = prefix + i;
      Map<String, Object> volume = new LinkedHashMap<>();
      volume.put("accessModes", List.of("ReadOnlyMany"));
      volume.put("capacity", Map.of("storage", "1Gi"));
      volume.put("persistentVolumeReclaimPolicy", "Retain");
      volume.put("claimRef", Map.of("namespace", "default", "name", id, "uid", id));
      if (csi) {
        volume.put("csi", Map.of("driver", "ebs.csi.aws.com", "volumeHandle", id));
      } else {
        volume.put("awsElasticBlockStore", Map.of("volumeID", id));
      }
      objects.add(
          Map.of(
              "apiVersion",
              "v1",
              "kind",
              "PersistentVolume",
              "metadata",
              Map.of("name", id),
              "spec",
              volume,
              "status",
              Map.of("phase", "Bound")));
      objects.add(
          Map.of(
              "apiVersion", "v1",
              "kind", "PersistentVolumeClaim",
              "metadata",
                  Map.of(
                      "namespace",
                      "default",
                      "name",
                      id,
                      "uid",
                      id,
                      "annotations",
                      Map.of("pv.kubernetes.io/bind-completed", "true")),
              "spec",
                  Map.of(
                      "accessModes", List.of("ReadOnlyMany"),
                      "volumeName", id,
                      "resources", Map.of("requests", Map.of("storage", "1Gi"))),
              "status", Map.of("phase", "Bound")));
      pods.add(pod("default", id, Map.of(), small(claim(id))));
    }
    return pods;
  }

  private static Workload preemption() {
    return new Workload(
        "PreemptionBasic",
        nodes(1000, List.of()),
        pods("default", "low-", 4000, Map.of(), spec("900m", "500Mi", Map.of())),
        pods("default", "pod-", 1000, Map.of(), spec("3", "500Mi", Map.of("priority", 10))),
        1000);
  }
}
