// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What 1.37 knows and 1.36 does not, put into a cluster that was made up: drivers that have to be
 * installed, room for volumes that scores tell apart, taints by rules, capacities in thousandths.
 * Its dice are its own: what a seed makes otherwise stays.
 */
final class Additions {
  private static final String DRIVER = "csi.example.org";
  private static final List<String> AMOUNTS = List.of("500m", "1500m", "2500m", "3", "250u");

  private final Dice dice;

  Additions(long seed) {
    dice = new Dice(~seed);
  }

  List<Map<String, Object>> to(List<Map<String, Object>> objects) {
    List<Map<String, Object>> all = new ArrayList<>();
    boolean room = false;
    boolean slices = false;
    boolean thousandths = dice.chance(0.3);
    String mandatory = dice.one(null, DRIVER, "ebs.csi.aws.com");
    Set<Object> guarded = new HashSet<>();
    for (Map<String, Object> object : objects) {
      switch ((String) object.get("kind")) {
        case "CSIStorageCapacity" -> {
          // Of several for a node, kube-scheduler takes any; of one that does not tell, it dies.
          if (!room) {
            room = true;
            all.addAll(byZone(object));
          }
        }
        case "PodDisruptionBudget" -> {
          // Of several that cover a pod, kube-scheduler asks any first.
          if (guarded.add(field(object, "metadata").get("namespace"))) {
            all.add(object);
          }
        }
        case "CSINode" -> all.add(withoutSomeDrivers(object));
        case "CSIDriver" -> all.add(object);
        case "ResourceSlice" -> {
          slices = true;
          all.add(thousandths ? object(inThousandths(object)) : object);
        }
        case "ResourceClaim" -> all.add(thousandths ? object(askingFor(object)) : object);
        default -> all.add(object);
      }
    }
    if (mandatory != null) {
      all.removeIf(object -> isDriver(object, mandatory));
      all.add(driver(mandatory));
    }
    for (int i = slices ? dice.below(4) : 0; i > 0; i--) {
      all.add(rule(i));
    }
    return all;
  }

  private List<Map<String, Object>> byZone(Map<String, Object> capacity) {
    List<Map<String, Object>> zones = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Map<String, Object> zone = new LinkedHashMap<>(capacity);
      Map<String, Object> metadata = new LinkedHashMap<>(field(capacity, "metadata"));
      metadata.computeIfPresent("name", (field, name) -> name + "-" + zones.size());
      metadata.computeIfPresent("uid", (field, uid) -> uid + "-" + zones.size());
      zone.put("metadata", metadata);
      zone.put("capacity", dice.one("6Gi", "12Gi", "40Gi"));
      zone.put(
          "nodeTopology", map("matchLabels", map("topology.kubernetes.io/zone", "eu-west-" + i)));
      zones.add(zone);
    }
    return zones;
  }

  private static boolean isDriver(Map<String, Object> object, String name) {
    return "CSIDriver".equals(object.get("kind"))
        && name.equals(field(object, "metadata").get("name"));
  }

  private static Map<String, Object> driver(String name) {
    return map(
        "apiVersion",
        "storage.k8s.io/v1",
        "kind",
        "CSIDriver",
        "metadata",
        map("name", name),
        "spec",
        map("storageCapacity", false, "preventPodSchedulingIfMissing", true));
  }

  private Map<String, Object> withoutSomeDrivers(Map<String, Object> node) {
    Map<String, Object> spec = new LinkedHashMap<>(field(node, "spec"));
    List<Object> drivers = new ArrayList<>((List<?>) spec.get("drivers"));
    drivers.removeIf(driver -> dice.chance(0.25));
    spec.put("drivers", drivers);
    Map<String, Object> changed = new LinkedHashMap<>(node);
    changed.put("spec", spec);
    return changed;
  }

  private Map<String, Object> rule(int number) {
    Map<String, Object> selector =
        map(
            "driver",
            dice.chance(0.6) ? dice.one(KnownSelectors.GPU, KnownSelectors.NIC) : null,
            "pool",
            dice.chance(0.4) ? "n" + dice.below(4) : null,
            "device",
            dice.chance(0.3) ? dice.one("gpu-0", "gpu-1", "nic-0") : null);
    return map(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "DeviceTaintRule",
        "metadata",
        map("name", "rule-" + number),
        "spec",
        map(
            "deviceSelector",
            dice.chance(0.1) ? null : selector,
            "taint",
            map(
                "key",
                dice.one("health", "repair"),
                "value",
                "bad",
                "effect",
                dice.one("NoSchedule", "NoExecute", "None"))));
  }

  /** Memory in steps of less than one. */
  private Object inThousandths(Object part) {
    if (part instanceof List<?> list) {
      return list.stream().map(this::inThousandths).toList();
    }
    if (!(part instanceof Map<?, ?> fields)) {
      return part;
    }
    Map<String, Object> changed = new LinkedHashMap<>();
    fields.forEach((name, value) -> changed.put((String) name, inThousandths(value)));
    if (changed.get("memory") instanceof Map<?, ?> capacity && capacity.containsKey("value")) {
      changed.put(
          "memory",
          map(
              "value",
              dice.one("5", "7500m"),
              "requestPolicy",
              map(
                  "default",
                  "1500m",
                  "validRange",
                  map(
                      "min",
                      dice.one("500m", "1"),
                      "max",
                      dice.one("4", null),
                      "step",
                      dice.one("500m", "250m", "1", "100u", null)))));
    }
    return changed;
  }

  private Object askingFor(Object part) {
    if (part instanceof List<?> list) {
      return list.stream().map(this::askingFor).toList();
    }
    if (!(part instanceof Map<?, ?> fields)) {
      return part;
    }
    Map<String, Object> changed = new LinkedHashMap<>();
    fields.forEach((name, value) -> changed.put((String) name, askingFor(value)));
    if (changed.get("memory") instanceof String) {
      changed.put("memory", dice.one(AMOUNTS));
    }
    return changed;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object map) {
    return (Map<String, Object>) map;
  }

  private static Map<String, Object> field(Map<String, Object> of, String name) {
    return object(of.get(name));
  }
}
