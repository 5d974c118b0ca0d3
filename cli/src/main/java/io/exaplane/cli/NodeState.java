// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes as a running cluster has them: with the taints of their conditions and of
 * spec.unschedulable, and without taints that contradict these. Source:
 * pkg/controller/nodelifecycle, doNoScheduleTaintingPass and doNoExecuteTaintingPass. A taint of a
 * condition that the node does not have stays: somebody wrote it. Where nobody wrote what is
 * allocatable, the capacity is. Source: pkg/apis/core/v1/defaults.go, SetDefaults_NodeStatus.
 */
final class NodeState {
  private static final String PREFIX = "node.kubernetes.io/";
  private static final String NO_SCHEDULE = "NoSchedule";
  private static final String NO_EXECUTE = "NoExecute";

  private static final Map<String, String> CONDITIONS =
      Map.of(
          "MemoryPressure", "memory-pressure",
          "DiskPressure", "disk-pressure",
          "PIDPressure", "pid-pressure",
          "NetworkUnavailable", "network-unavailable");

  private NodeState() {}

  /** The node as a cluster would have it; the same one if it is so already. */
  static Map<String, Object> of(Map<String, Object> node) {
    return filledIn(tainted(node));
  }

  private static Map<String, Object> filledIn(Map<String, Object> node) {
    Map<?, ?> status = map(node.get("status"));
    boolean none = map(status.get("allocatable")).isEmpty();
    return none && !map(status.get("capacity")).isEmpty()
        ? with(node, "status", "allocatable", status.get("capacity"))
        : node;
  }

  /** The node with its taints; the same one if it has them all and no others. */
  static Map<String, Object> tainted(Map<String, Object> node) {
    List<Object> taints = new ArrayList<>();
    Map<?, ?> spec = map(node.get("spec"));
    if (spec.get("taints") instanceof List<?> there) {
      taints.addAll(there);
    }
    List<Object> before = List.copyOf(taints);
    if (Boolean.TRUE.equals(spec.get("unschedulable"))) {
      add(taints, "unschedulable", NO_SCHEDULE);
    } else {
      remove(taints, "unschedulable", NO_SCHEDULE);
    }
    if (map(node.get("status")).get("conditions") instanceof List<?> conditions) {
      for (Object condition : conditions) {
        if (condition instanceof Map<?, ?> one) {
          condition(taints, String.valueOf(one.get("type")), String.valueOf(one.get("status")));
        }
      }
    }
    return taints.equals(before) ? node : with(node, "spec", "taints", taints);
  }

  private static Map<?, ?> map(Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static Map<String, Object> with(
      Map<String, Object> node, String part, String field, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>();
    map(node.get(part)).forEach((name, old) -> changed.put((String) name, old));
    changed.put(field, value);
    Map<String, Object> copy = new LinkedHashMap<>(node);
    copy.put(part, changed);
    return copy;
  }

  private static void condition(List<Object> taints, String type, String status) {
    String key = CONDITIONS.get(type);
    if (type.equals("Ready")) {
      ready(taints, status);
    } else if (key != null && status.equals("True")) {
      add(taints, key, NO_SCHEDULE);
    } else if (key != null) {
      remove(taints, key, NO_SCHEDULE);
    }
  }

  private static void ready(List<Object> taints, String status) {
    String key = status.equals("True") ? "" : status.equals("False") ? "not-ready" : "unreachable";
    for (String other : List.of("not-ready", "unreachable")) {
      for (String effect : List.of(NO_SCHEDULE, NO_EXECUTE)) {
        if (other.equals(key)) {
          add(taints, key, effect);
        } else {
          remove(taints, other, effect);
        }
      }
    }
  }

  private static void remove(List<Object> taints, String key, String effect) {
    taints.removeIf(taint -> is(taint, PREFIX + key, effect));
  }

  private static boolean is(Object taint, String key, String effect) {
    return taint instanceof Map<?, ?> one
        && key.equals(one.get("key"))
        && effect.equals(one.get("effect"));
  }

  private static void add(List<Object> taints, String key, String effect) {
    String name = PREFIX + key;
    if (taints.stream().noneMatch(taint -> is(taint, name, effect))) {
      taints.add(Map.of("key", name, "effect", effect));
    }
  }
}
