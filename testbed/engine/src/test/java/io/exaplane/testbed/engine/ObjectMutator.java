// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import io.exaplane.scheduler.engine.scenario.Dice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes other states of objects, with parts of others of their kind. */
final class ObjectMutator {
  private static final String EXTENDED = "extendedResourceName";

  /** By class, the extended resource that it may stand for. */
  private static final Map<String, String> RESOURCES =
      Map.of("gpu", "other.org/fpga", "nic", "example.org/gpu");

  private final Dice dice;
  private final List<Map<String, Object>> others;

  ObjectMutator(Dice dice, List<Map<String, Object>> others) {
    this.dice = dice;
    this.others = others;
  }

  /** The same object, with something that may change taken from another one of its kind. */
  Map<String, Object> changed(Map<String, Object> object) {
    Map<String, Object> copy = copy(object);
    if (object.get("kind").equals("PodGroup")) {
      changeGroup(copy);
      return copy;
    }
    List<Map<String, Object>> alike =
        others.stream().filter(other -> other.get("kind").equals(object.get("kind"))).toList();
    if (alike.isEmpty()) {
      return copy;
    }
    Map<String, Object> other = copy(alike.get(dice.below(alike.size())));
    switch ((String) object.get("kind")) {
      case "Pod" -> changePod(copy, other);
      case "Node" -> changeNode(copy, other);
      case "DeviceClass" -> changeClass(copy);
      default -> {
        Map<String, Object> meta = child(copy, "metadata");
        copy.putAll(other);
        copy.put("metadata", meta);
        take(meta, child(other, "metadata"), "labels");
      }
    }
    return copy;
  }

  /**
   * A class that shares its extended resource with no other: of several, kube-scheduler remembers
   * one, depending on which changed first.
   */
  static Map<String, Object> onlyClassOfResource(Map<String, Object> object) {
    if (!object.get("kind").equals("DeviceClass") || RESOURCES.containsKey(name(object))) {
      return object;
    }
    Map<String, Object> copy = copy(object);
    child(copy, "spec").remove(EXTENDED);
    return copy;
  }

  /** From 1.37 on, a gang may need more or fewer pods than before. */
  private void changeGroup(Map<String, Object> group) {
    Map<String, Object> policy = child(child(group, "spec"), "schedulingPolicy");
    boolean isMutable = "scheduling.k8s.io/v1beta1".equals(group.get("apiVersion"));
    if (isMutable && policy.containsKey("gang")) {
      child(policy, "gang").put("minCount", dice.between(1, 4));
    }
  }

  private static void changeClass(Map<String, Object> deviceClass) {
    Map<String, Object> spec = child(deviceClass, "spec");
    if (spec.remove(EXTENDED) == null && RESOURCES.containsKey(name(deviceClass))) {
      spec.put(EXTENDED, RESOURCES.get(name(deviceClass)));
    }
  }

  private static String name(Map<String, Object> object) {
    return (String) child(object, "metadata").get("name");
  }

  private void changePod(Map<String, Object> pod, Map<String, Object> other) {
    Map<String, Object> meta = child(pod, "metadata");
    Map<String, Object> spec = child(pod, "spec");
    switch (dice.below(9)) {
      case 0 -> take(meta, child(other, "metadata"), "labels");
      case 1 -> take(spec, child(other, "spec"), "tolerations");
      case 2 -> spec.remove("schedulingGates");
      case 3 -> nominate(child(pod, "status"), "n" + dice.below(4));
      case 4 -> child(pod, "status").remove("nominatedNodeName");
      case 5 -> takeFeatures(spec, child(other, "spec"));
      case 7 -> {
        boolean own = dice.chance(0.5);
        takeClaims(spec, child(pod, "status"), own ? null : child(other, "status"), name(pod));
      }
      case 6 -> meta.put("deletionTimestamp", "2026-01-01T00:00:00Z");
      default -> shrink(spec);
    }
  }

  /** Claims that the pod asks for are made, or, if there is another pod's status, others. */
  @SuppressWarnings("unchecked")
  private static void takeClaims(
      Map<String, Object> spec, Map<String, Object> status, Map<String, Object> other, String pod) {
    List<Object> asked =
        ((List<Map<String, Object>>) spec.getOrDefault("resourceClaims", List.of()))
            .stream()
                .filter(claim -> claim.containsKey("resourceClaimTemplateName"))
                .map(claim -> claim.get("name"))
                .toList();
    List<Map<String, Object>> made =
        other == null
            ? asked.stream()
                .map(as -> Dice.map("name", as, "resourceClaimName", pod + "-" + as))
                .toList()
            : ((List<Map<String, Object>>) other.getOrDefault("resourceClaimStatuses", List.of()))
                .stream().filter(claim -> asked.contains(claim.get("name"))).toList();
    status.remove("resourceClaimStatuses");
    if (!made.isEmpty()) {
      status.put("resourceClaimStatuses", made);
    }
  }

  /** What decides which features of a node the pod needs. */
  private static void takeFeatures(Map<String, Object> spec, Map<String, Object> other) {
    take(spec, other, "hostUsers");
    take(spec, other, "hostNetwork");
  }

  private static void nominate(Map<String, Object> status, String node) {
    status.put("nominatedNodeName", node);
  }

  @SuppressWarnings("unchecked")
  private static void shrink(Map<String, Object> spec) {
    for (Object container : (List<Object>) spec.get("containers")) {
      Map<String, Object> resources = child((Map<String, Object>) container, "resources");
      Map<String, Object> requests = child(resources, "requests");
      if (requests.containsKey("cpu")) {
        requests.put("cpu", "1m");
      }
    }
  }

  private void changeNode(Map<String, Object> node, Map<String, Object> other) {
    switch (dice.below(5)) {
      case 0 -> take(child(node, "metadata"), child(other, "metadata"), "labels");
      case 1 -> take(child(node, "spec"), child(other, "spec"), "taints");
      case 2 -> take(child(node, "spec"), child(other, "spec"), "unschedulable");
      case 3 -> take(child(node, "status"), child(other, "status"), "allocatable");
      default -> take(child(node, "status"), child(other, "status"), "declaredFeatures");
    }
  }

  private static void take(Map<String, Object> to, Map<String, Object> from, String field) {
    to.remove(field);
    if (from.get(field) != null) {
      to.put(field, from.get(field));
    }
  }

  /** The object as an API server would have stored it. */
  Map<String, Object> withVersion(Map<String, Object> object, int version) {
    Map<String, Object> copy = copy(object);
    child(copy, "metadata").put("resourceVersion", "" + version);
    if (object.get("kind").equals("Pod")) {
      child(copy, "spec").putIfAbsent("schedulerName", "default-scheduler");
    }
    return copy;
  }

  /** Another object of the same name. */
  Map<String, Object> madeAnew(Map<String, Object> object, int number) {
    Map<String, Object> copy = copy(object);
    Map<String, Object> meta = child(copy, "metadata");
    meta.put("uid", meta.get("uid") + "-" + number);
    return copy;
  }

  String uid(Map<String, Object> object) {
    return (String) child(object, "metadata").get("uid");
  }

  Map<String, Object> onNode(Map<String, Object> pod, String node) {
    Map<String, Object> copy = copy(pod);
    child(copy, "spec").put("nodeName", node);
    return copy;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<String, Object> object, String field) {
    return (Map<String, Object>) object.computeIfAbsent(field, f -> new HashMap<>());
  }

  @SuppressWarnings("unchecked")
  private static <T> T copy(T value) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new HashMap<>();
      map.forEach((key, child) -> copy.put(key, copy(child)));
      return (T) copy;
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(child -> copy.add(copy(child)));
      return (T) copy;
    }
    return value;
  }
}
