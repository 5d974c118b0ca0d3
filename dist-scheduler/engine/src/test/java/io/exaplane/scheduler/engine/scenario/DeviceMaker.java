// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.KnownSelectors.GPU;
import static io.exaplane.scheduler.engine.scenario.KnownSelectors.NIC;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes up what drivers publish: devices of nodes, of zones, parts and shares of devices. */
final class DeviceMaker {
  static final List<String> CLASSES = List.of("gpu", "nic", "large", "model-a", "any");
  private static final String API = "resource.k8s.io/v1";

  private final Dice dice;

  /**
   * Whether there may be what 1.36 knows alone; and several slices and pools, which earlier
   * versions take in any order.
   */
  private final boolean modern;

  private final List<Map<String, Object>> objects = new ArrayList<>();

  /** Devices that claims may have been given: driver, pool, device, node. */
  private final List<List<String>> devices = new ArrayList<>();

  DeviceMaker(Dice dice, boolean modern) {
    this.dice = dice;
    this.modern = modern;
  }

  /** Driver, pool and name of each device, and the node that it is on, if it is on one. */
  List<List<String>> devices() {
    return devices;
  }

  /** Classes and slices. */
  List<Map<String, Object>> objects(int nodes) {
    deviceClass("gpu", KnownSelectors.IS_GPU);
    deviceClass("nic", KnownSelectors.IS_NIC);
    deviceClass("large", KnownSelectors.IS_LARGE);
    deviceClass(
        "model-a", dice.chance(0.15) ? KnownSelectors.IS_MODEL_A : KnownSelectors.MAY_BE_MODEL_A);
    deviceClass("any", null);
    for (int node = 0; node < nodes; node++) {
      if (dice.chance(0.75)) {
        gpus("n" + node);
      }
      if (modern && dice.chance(0.3)) {
        localNics("n" + node);
      }
    }
    if (modern && dice.chance(0.5)) {
      zoneNics();
    }
    return objects;
  }

  /**
   * Of several classes for one resource, the implicit resources of some are not known to
   * kube-scheduler, depending on which it heard of first: the one that pods ask for has its own.
   */
  private void deviceClass(String name, String selector) {
    if (dice.chance(0.03)) {
      return;
    }
    objects.add(
        map(
            "apiVersion",
            API,
            "kind",
            "DeviceClass",
            "metadata",
            map(
                "name",
                name,
                "creationTimestamp",
                dice.one("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")),
            "spec",
            map(
                "selectors",
                selector == null ? null : List.of(selector(selector)),
                "extendedResourceName",
                dice.chance(0.3)
                    ? (name.equals("gpu") ? "other.org/fpga" : "example.org/gpu")
                    : null)));
  }

  static Map<String, Object> selector(String expression) {
    return map("cel", map("expression", expression));
  }

  private void slice(
      String name,
      String driver,
      String pool,
      int generation,
      int count,
      Map<String, Object> rest) {
    Map<String, Object> spec =
        map(
            "driver",
            driver,
            "pool",
            map("name", pool, "generation", generation, "resourceSliceCount", count));
    spec.putAll(rest);
    objects.add(
        map(
            "apiVersion",
            API,
            "kind",
            "ResourceSlice",
            "metadata",
            map("name", name, "uid", "uid-" + name),
            "spec",
            spec));
  }

  private void gpus(String node) {
    boolean parts = modern && dice.chance(0.2);
    int slices = modern ? dice.one(1, 1, 2) : 1;
    boolean broken = dice.chance(0.04);
    int announced = slices + (parts ? 1 : 0) + (modern && dice.chance(0.04) ? 1 : 0);
    for (int s = 0; s < slices; s++) {
      List<Map<String, Object>> list = new ArrayList<>();
      for (int d = 0, n = dice.between(1, 3); d < n; d++) {
        String name = broken ? "gpu-0" : "gpu-" + s + "-" + d;
        list.add(gpu(name, parts));
        devices.add(List.of(GPU, node, name, node));
      }
      Map<String, Object> of = map("nodeName", node, "devices", list);
      slice(node + "-gpu-" + s, GPU, node, 2, announced, of);
    }
    if (parts) {
      List<Map<String, Object>> sets = new ArrayList<>();
      sets.add(
          map("name", "board", "counters", map("slots", map("value", dice.one("1", "2", "3")))));
      slice(
          node + "-gpu-counters",
          GPU,
          node,
          2,
          announced,
          map("nodeName", node, "sharedCounters", sets));
    }
    if (modern && dice.chance(0.05)) {
      Map<String, Object> old = map("nodeName", node, "devices", List.of(gpu("old", false)));
      slice(node + "-gpu-old", GPU, node, 1, 1, old);
    }
  }

  private Map<String, Object> gpu(String name, boolean part) {
    boolean shared = modern && dice.chance(0.25);
    boolean waits = modern && dice.chance(0.06);
    Map<String, Object> attributes = new LinkedHashMap<>();
    if (!dice.chance(0.1)) {
      attributes.put("model", map("string", dice.one("A", "B")));
    }
    attributes.put("index", map("int", dice.below(3)));
    attributes.put("ecc", map("bool", dice.chance(0.5)));
    attributes.put("version", map("version", dice.one("1.1.0", "1.2.0", "1.3.0")));
    attributes.put("example.org/numa", map("int", dice.below(2)));
    return map(
        "name",
        name,
        "attributes",
        attributes,
        "capacity",
        dice.chance(0.8) ? map("memory", capacity()) : null,
        "taints",
        modern && dice.chance(0.1) ? List.of(taint()) : null,
        "allowMultipleAllocations",
        shared ? true : null,
        "consumesCounters",
        part && dice.chance(0.8) ? List.of(consumption()) : null,
        "bindingConditions",
        waits ? List.of("ready") : null,
        "bindingFailureConditions",
        waits ? List.of("broken") : null);
  }

  private Map<String, Object> consumption() {
    String set = dice.chance(0.02) ? "unheard" : "board";
    return map("counterSet", set, "counters", map("slots", map("value", dice.one("1", "2"))));
  }

  private Map<String, Object> taint() {
    return map(
        "key", "health", "value", "bad", "effect", dice.one("NoSchedule", "NoExecute", "None"));
  }

  private Map<String, Object> capacity() {
    Map<String, Object> range =
        map("min", "4Gi", "max", dice.one("20Gi", null), "step", dice.one("2Gi", null));
    Map<String, Object> policy =
        !modern || dice.chance(0.5)
            ? null
            : dice.chance(0.5)
                ? map("default", "8Gi", "validRange", range)
                : map("default", "8Gi", "validValues", List.of("8Gi", "16Gi"));
    return map("value", dice.one("16Gi", "40Gi"), "requestPolicy", policy);
  }

  /** Pools that have the name of another driver's. */
  private void localNics(String node) {
    List<Map<String, Object>> list = new ArrayList<>();
    boolean parts = dice.chance(0.3);
    for (int d = 0, n = dice.between(1, 2); d < n; d++) {
      String name = "nic-" + d;
      Map<String, Object> nic =
          map(
              "name",
              name,
              "attributes",
              map("example.org/numa", map("int", dice.below(2))),
              "bindsToNode",
              dice.chance(0.2) ? true : null,
              "consumesCounters",
              parts ? List.of(consumption()) : null);
      list.add(nic);
      devices.add(List.of(NIC, node, name, node));
    }
    slice(node + "-nic", NIC, node, 1, parts ? 2 : 1, map("nodeName", node, "devices", list));
    if (parts) {
      Map<String, Object> counters = map("slots", map("value", "1"));
      List<Map<String, Object>> sets = List.of(map("name", "board", "counters", counters));
      slice(node + "-nic-c", NIC, node, 1, 2, map("nodeName", node, "sharedCounters", sets));
    }
  }

  /** Devices that are reached over the network. */
  private void zoneNics() {
    boolean perDevice = dice.chance(0.4);
    int slices = dice.between(1, 2);
    for (int s = 0; s < slices; s++) {
      List<Map<String, Object>> list = new ArrayList<>();
      for (int d = 0, n = dice.between(1, 3); d < n; d++) {
        String name = "net-" + s + "-" + d;
        Map<String, Object> nic =
            map("name", name, "attributes", map("example.org/numa", map("int", dice.below(2))));
        if (perDevice) {
          nic.putAll(place());
        }
        list.add(nic);
        devices.add(List.of(NIC, "net", name, ""));
      }
      Map<String, Object> of =
          perDevice ? map("perDeviceNodeSelection", true) : new LinkedHashMap<>(place());
      of.put("devices", list);
      slice("net-" + s, NIC, "net", 1, slices, of);
    }
  }

  private Map<String, Object> place() {
    if (dice.chance(0.3)) {
      return map("allNodes", true);
    }
    if (dice.chance(0.2)) {
      return map("nodeName", "n" + dice.below(3));
    }
    return map(
        "nodeSelector",
        map(
            "nodeSelectorTerms",
            List.of(
                map(
                    "matchExpressions",
                    List.of(
                        map(
                            "key",
                            NodeMaker.ZONE,
                            "operator",
                            "In",
                            "values",
                            List.of("eu-west-0", "eu-west-" + dice.below(3))))))));
  }
}
