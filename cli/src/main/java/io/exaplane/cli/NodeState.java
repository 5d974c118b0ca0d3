// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes as a cluster with a running node lifecycle controller has them: with the taints of their
 * conditions and of spec.unschedulable. Source: pkg/controller/nodelifecycle,
 * doNoScheduleTaintingPass and doNoExecuteTaintingPass. Only what is missing is added: somebody may
 * have written the others.
 */
final class NodeState {
  private static final String PREFIX = "node.kubernetes.io/";
  private static final String NO_SCHEDULE = "NoSchedule";
  private static final String NO_EXECUTE = "NoExecute";

  private NodeState() {}

  /** The node with its taints; the same one if it has them all. */
  static Map<String, Object> tainted(Map<String, Object> node) {
    List<Object> taints = new ArrayList<>();
    Map<?, ?> spec = node.get("spec") instanceof Map<?, ?> map ? map : Map.of();
    if (spec.get("taints") instanceof List<?> there) {
      taints.addAll(there);
    }
    int before = taints.size();
    if (Boolean.TRUE.equals(spec.get("unschedulable"))) {
      add(taints, "unschedulable", NO_SCHEDULE);
    }
    Map<?, ?> status = node.get("status") instanceof Map<?, ?> map ? map : Map.of();
    if (status.get("conditions") instanceof List<?> conditions) {
      for (Object condition : conditions) {
        if (condition instanceof Map<?, ?> one) {
          condition(taints, String.valueOf(one.get("type")), String.valueOf(one.get("status")));
        }
      }
    }
    if (taints.size() == before) {
      return node;
    }
    Map<String, Object> changed = new LinkedHashMap<>();
    spec.forEach((name, value) -> changed.put((String) name, value));
    changed.put("taints", taints);
    Map<String, Object> copy = new LinkedHashMap<>(node);
    copy.put("spec", changed);
    return copy;
  }

  private static void condition(List<Object> taints, String type, String status) {
    if (type.equals("Ready") && !status.equals("True")) {
      String key = status.equals("False") ? "not-ready" : "unreachable";
      add(taints, key, NO_SCHEDULE);
      add(taints, key, NO_EXECUTE);
    } else if (status.equals("True")) {
      switch (type) {
        case "MemoryPressure" -> add(taints, "memory-pressure", NO_SCHEDULE);
        case "DiskPressure" -> add(taints, "disk-pressure", NO_SCHEDULE);
        case "PIDPressure" -> add(taints, "pid-pressure", NO_SCHEDULE);
        case "NetworkUnavailable" -> add(taints, "network-unavailable", NO_SCHEDULE);
        default -> {}
      }
    }
  }

  private static void add(List<Object> taints, String key, String effect) {
    String name = PREFIX + key;
    for (Object taint : taints) {
      if (taint instanceof Map<?, ?> one
          && name.equals(one.get("key"))
          && effect.equals(one.get("effect"))) {
        return;
      }
    }
    taints.add(Map.of("key", name, "effect", effect));
  }
}
