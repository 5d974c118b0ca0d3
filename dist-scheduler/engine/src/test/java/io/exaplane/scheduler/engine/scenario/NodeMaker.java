// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes up nodes: many alike, some odd. */
final class NodeMaker {
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String HOSTNAME = "kubernetes.io/hostname";
  static final List<String> IMAGES =
      List.of(
          "registry.example.org/web:1",
          "registry.example.org/db:2",
          "plain:latest",
          "registry.example.org:5000/tool:latest");

  private final Dice dice;
  private final int zones;
  private final boolean odd;
  private final String pods;

  NodeMaker(Dice dice) {
    this.dice = dice;
    this.zones = dice.between(1, 4);
    this.odd = dice.chance(0.5);
    this.pods = dice.one("110", "110", "5");
  }

  Map<String, Object> node(int i) {
    return map(
        "apiVersion", "v1",
        "kind", "Node",
        "metadata", map("name", "n" + i, "labels", labels(i)),
        "spec", map("unschedulable", dice.chance(0.06) ? true : null, "taints", taints()),
        "status",
            map("allocatable", allocatable(), "images", images(), "declaredFeatures", features()));
  }

  private Map<String, Object> labels(int i) {
    Map<String, Object> labels = new LinkedHashMap<>();
    if (!dice.chance(0.05)) {
      labels.put(HOSTNAME, "n" + i);
    }
    if (!dice.chance(0.1)) {
      labels.put(ZONE, dice.chance(0.03) ? "" : "eu-west-" + dice.below(zones));
    }
    if (dice.chance(0.7)) {
      labels.put("disk", dice.one("ssd", "hdd"));
    }
    if (dice.chance(0.5)) {
      labels.put("generation", dice.one("1", "2", "3", "10", "many"));
    }
    if (dice.chance(0.5)) {
      labels.put("rack", "r" + dice.below(3));
    }
    return labels;
  }

  private List<Map<String, Object>> taints() {
    List<Map<String, Object>> taints = new ArrayList<>();
    for (String key : dice.some(2, List.of("dedicated", "spot", "maintenance"))) {
      if (dice.chance(0.25)) {
        taints.add(
            map(
                "key",
                key,
                "value",
                dice.one("a", "b", null),
                "effect",
                dice.one("NoSchedule", "NoExecute", "PreferNoSchedule", "PreferNoSchedule")));
      }
    }
    return taints.isEmpty() ? null : taints;
  }

  private Map<String, Object> allocatable() {
    if (!odd) {
      return map(
          "cpu",
          "4",
          "memory",
          "8Gi",
          "pods",
          pods,
          "ephemeral-storage",
          "100Gi",
          "example.org/gpu",
          "4",
          "hugepages-2Mi",
          "1Gi");
    }
    return map(
        "cpu", dice.one("1", "2", "3500m", "4", "8", "16", "0"),
        "memory", dice.one("2Gi", "4Gi", "7900Mi", "8000000000", "16G", "1e10", "64Gi"),
        "pods", dice.one("110", "110", "20", "4", "2", "0"),
        "ephemeral-storage", dice.one("10Gi", "100Gi", "100Gi", null),
        "example.org/gpu", dice.one("1", "4", null),
        "other.org/fpga", dice.chance(0.2) ? "2" : null,
        "hugepages-2Mi", dice.one("64Mi", "1Gi", null));
  }

  private List<Map<String, Object>> images() {
    List<Map<String, Object>> images = new ArrayList<>();
    for (String image : dice.some(3, IMAGES)) {
      List<String> names = dice.chance(0.3) ? List.of(image, "alias/" + image) : List.of(image);
      images.add(
          map(
              "names",
              names,
              "sizeBytes",
              dice.one(5_000_000L, 80_000_000L, 700_000_000L, 3_000_000_000L)));
    }
    return images.isEmpty() ? null : images;
  }

  private List<String> features() {
    List<String> features =
        dice.some(
            2,
            List.of(
                "RestartAllContainersOnContainerExits",
                "UserNamespacesHostNetworkSupport",
                "Unheard"));
    features.sort(null);
    return features.isEmpty() ? null : features;
  }
}
