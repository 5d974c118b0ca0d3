// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Replays what happened and looks at each pod that came onto a node: did the node have room, and
 * did all rules hold? How pods are spread is looked at when all are there: those that are decided
 * about one after another get to their nodes side by side, as with kube-scheduler. It shares no
 * code with the scheduler, and knows of the rules what the tests' pods use.
 */
final class Auditor {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Pod> pods = new LinkedHashMap<>();

  /** By node, the pods on it; by label, the pods that have it, and those that keep away from it. */
  private final Map<String, Map<String, Pod>> byNode = new HashMap<>();

  private final Map<Map.Entry<String, String>, Map<String, Pod>> byLabel = new HashMap<>();
  private final Map<Map.Entry<String, String>, Map<String, Pod>> keepAway = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int bindings;

  /** What was wrong, of all that happened. */
  static Auditor of(List<Recording.Happened> happened) {
    Auditor auditor = new Auditor();
    happened.forEach(auditor::take);
    auditor.checkSpread();
    return auditor;
  }

  List<String> violations() {
    return violations;
  }

  int bindings() {
    return bindings;
  }

  private void take(Recording.Happened happened) {
    if (happened.object() instanceof Node node) {
      if (happened.gone()) {
        nodes.remove(node.getMetadata().getName());
      } else {
        nodes.put(node.getMetadata().getName(), node);
      }
    } else if (happened.object() instanceof Pod pod) {
      take(pod, happened.gone());
    }
  }

  private void take(Pod pod, boolean gone) {
    String uid = pod.getMetadata().getUid();
    Pod before = gone ? pods.remove(uid) : pods.put(uid, pod);
    if (before != null) {
      indexes(before).forEach(index -> index.remove(uid));
    }
    if (!gone) {
      indexes(pod).forEach(index -> index.put(uid, pod));
    }
    String now = pod.getSpec().getNodeName();
    String then = before == null ? null : before.getSpec().getNodeName();
    if (then != null && !then.equals(now)) {
      violations.add("%s moved from %s to %s".formatted(name(pod), then, now));
    }
    if (!gone && then == null && now != null) {
      bindings++;
      check(pod, nodes.get(now));
    }
  }

  /** Where a pod is found by what it is and has. */
  private List<Map<String, Pod>> indexes(Pod pod) {
    List<Map<String, Pod>> all = new ArrayList<>();
    if (pod.getSpec().getNodeName() != null) {
      all.add(byNode.computeIfAbsent(pod.getSpec().getNodeName(), n -> new LinkedHashMap<>()));
    }
    for (Map.Entry<String, String> label : labels(pod).entrySet()) {
      all.add(byLabel.computeIfAbsent(label, l -> new LinkedHashMap<>()));
    }
    for (PodAffinityTerm term : apart(pod)) {
      all.add(keepAway.computeIfAbsent(firstLabel(term), l -> new LinkedHashMap<>()));
    }
    return all;
  }

  private static Map.Entry<String, String> firstLabel(PodAffinityTerm term) {
    return term.getLabelSelector().getMatchLabels().entrySet().iterator().next();
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }

  private void check(Pod pod, Node node) {
    if (node == null) {
      violations.add(name(pod) + " is on a node that is not there");
      return;
    }
    String where = name(pod) + " on " + node.getMetadata().getName();
    checkRoom(pod, node, where);
    for (Taint taint : node.getSpec().getTaints()) {
      boolean matters = !"PreferNoSchedule".equals(taint.getEffect());
      if (matters && pod.getSpec().getTolerations().stream().noneMatch(t -> tolerates(t, taint))) {
        violations.add(where + " does not tolerate " + taint.getKey());
      }
    }
    if (!selects(pod, node)) {
      violations.add(where + " does not want to be there");
    }
    checkPorts(pod, node, where);
    checkNeighbours(pod, node, where);
  }

  private Stream<Pod> podsOn(Node node) {
    return byNode.getOrDefault(node.getMetadata().getName(), Map.of()).values().stream()
        .filter(pod -> !List.of("Succeeded", "Failed").contains(phase(pod)));
  }

  private static String phase(Pod pod) {
    return String.valueOf(pod.getStatus().getPhase());
  }

  private void checkRoom(Pod pod, Node node, String where) {
    Map<String, BigDecimal> taken = new HashMap<>();
    podsOn(node)
        .forEach(other -> requests(other).forEach((k, v) -> taken.merge(k, v, BigDecimal::add)));
    requests(pod)
        .forEach(
            (resource, amount) -> {
              Quantity has = node.getStatus().getAllocatable().get(resource);
              BigDecimal room = has == null ? BigDecimal.ZERO : has.getNumericalAmount();
              if (amount.signum() > 0 && taken.get(resource).compareTo(room) > 0) {
                violations.add(
                    "%s: %s of %s are taken, there are %s"
                        .formatted(where, taken.get(resource), resource, room));
              }
            });
  }

  private static Map<String, BigDecimal> requests(Pod pod) {
    Map<String, BigDecimal> sum = new HashMap<>();
    for (Container container : pod.getSpec().getContainers()) {
      requests(container).forEach((k, v) -> sum.merge(k, v, BigDecimal::add));
    }
    for (Container container : pod.getSpec().getInitContainers()) {
      requests(container).forEach((k, v) -> sum.merge(k, v, BigDecimal::max));
    }
    sum.put("pods", BigDecimal.ONE);
    return sum;
  }

  private static Map<String, BigDecimal> requests(Container container) {
    Map<String, BigDecimal> amounts = new HashMap<>();
    if (container.getResources() != null && container.getResources().getRequests() != null) {
      container
          .getResources()
          .getRequests()
          .forEach((name, quantity) -> amounts.put(name, quantity.getNumericalAmount()));
    }
    return amounts;
  }

  private static boolean tolerates(Toleration toleration, Taint taint) {
    boolean key = toleration.getKey() == null || toleration.getKey().equals(taint.getKey());
    boolean effect =
        toleration.getEffect() == null || toleration.getEffect().equals(taint.getEffect());
    boolean value =
        "Exists".equals(toleration.getOperator())
            || Objects.equals(toleration.getValue(), taint.getValue());
    return key && effect && value;
  }

  private static boolean selects(Pod pod, Node node) {
    Map<String, String> labels = node.getMetadata().getLabels();
    if (!labels.entrySet().containsAll(pod.getSpec().getNodeSelector().entrySet())) {
      return false;
    }
    var affinity = pod.getSpec().getAffinity();
    if (affinity == null
        || affinity.getNodeAffinity() == null
        || affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
      return true;
    }
    return affinity
        .getNodeAffinity()
        .getRequiredDuringSchedulingIgnoredDuringExecution()
        .getNodeSelectorTerms()
        .stream()
        .anyMatch(term -> matches(term, labels, node.getMetadata().getName()));
  }

  private static boolean matches(NodeSelectorTerm term, Map<String, String> labels, String name) {
    return term.getMatchExpressions().stream()
            .allMatch(
                e ->
                    switch (e.getOperator()) {
                      case "In" -> e.getValues().contains(labels.get(e.getKey()));
                      case "NotIn" -> !e.getValues().contains(labels.get(e.getKey()));
                      case "Exists" -> labels.containsKey(e.getKey());
                      case "DoesNotExist" -> !labels.containsKey(e.getKey());
                      default -> throw new IllegalArgumentException(e.getOperator());
                    })
        && term.getMatchFields().stream().allMatch(e -> e.getValues().contains(name));
  }

  private void checkPorts(Pod pod, Node node, String where) {
    List<Integer> mine = ports(pod);
    podsOn(node)
        .filter(other -> other != pod)
        .flatMap(other -> ports(other).stream())
        .filter(mine::contains)
        .forEach(port -> violations.add(where + ": port " + port + " is taken"));
  }

  private static List<Integer> ports(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .flatMap(container -> container.getPorts().stream())
        .map(port -> port.getHostPort())
        .filter(Objects::nonNull)
        .toList();
  }

  private void checkNeighbours(Pod pod, Node node, String where) {
    for (PodAffinityTerm term : apart(pod)) {
      for (Pod other : byLabel.getOrDefault(firstLabel(term), Map.of()).values()) {
        if (isNear(node, other, pod, term) && isAbout(term, pod, other)) {
          violations.add(where + " is too near to " + name(other));
        }
      }
    }
    for (Map.Entry<String, String> label : labels(pod).entrySet()) {
      for (Pod other : keepAway.getOrDefault(label, Map.of()).values()) {
        for (PodAffinityTerm term : apart(other)) {
          if (isNear(node, other, pod, term) && isAbout(term, other, pod)) {
            violations.add(where + " is where it is not wanted by " + name(other));
          }
        }
      }
    }
  }

  /** Whether another pod than this one is on a node of the same domain. */
  private boolean isNear(Node node, Pod other, Pod than, PodAffinityTerm term) {
    Node its = nodes.get(other.getSpec().getNodeName());
    return other != than && its != null && sameDomain(node, its, term.getTopologyKey());
  }

  private static List<PodAffinityTerm> apart(Pod pod) {
    var affinity = pod.getSpec().getAffinity();
    return affinity == null || affinity.getPodAntiAffinity() == null
        ? List.of()
        : affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
  }

  private static boolean isAbout(PodAffinityTerm term, Pod holder, Pod other) {
    return holder.getMetadata().getNamespace().equals(other.getMetadata().getNamespace())
        && labels(other)
            .entrySet()
            .containsAll(term.getLabelSelector().getMatchLabels().entrySet());
  }

  private static Map<String, String> labels(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? Map.of() : labels;
  }

  private static boolean sameDomain(Node one, Node other, String key) {
    String value = one.getMetadata().getLabels().get(key);
    return value != null && value.equals(other.getMetadata().getLabels().get(key));
  }

  private void checkSpread() {
    Map<Object, Map<String, Integer>> known = new HashMap<>();
    for (Pod pod : pods.values()) {
      for (TopologySpreadConstraint rule : pod.getSpec().getTopologySpreadConstraints()) {
        if (nodes.containsKey(pod.getSpec().getNodeName())
            && rule.getWhenUnsatisfiable().equals("DoNotSchedule")) {
          Map<String, Integer> counts =
              known.computeIfAbsent(
                  List.of(rule, pod.getMetadata().getNamespace(), pod.getSpec().getNodeSelector()),
                  k -> counts(pod, rule));
          checkSpread(pod, rule, counts);
        }
      }
    }
  }

  /** By domain, the pods that count. */
  private Map<String, Integer> counts(Pod pod, TopologySpreadConstraint rule) {
    Map<String, Integer> counts = new HashMap<>();
    for (Node each : nodes.values()) {
      String domain = each.getMetadata().getLabels().get(rule.getTopologyKey());
      if (domain != null && selects(pod, each)) {
        int here =
            (int)
                podsOn(each)
                    .filter(other -> other.getMetadata().getDeletionTimestamp() == null)
                    .filter(other -> sameNamespace(other, pod))
                    .filter(
                        other ->
                            labels(other)
                                .entrySet()
                                .containsAll(rule.getLabelSelector().getMatchLabels().entrySet()))
                    .count();
        counts.merge(domain, here, Integer::sum);
      }
    }
    return counts;
  }

  private void checkSpread(Pod pod, TopologySpreadConstraint rule, Map<String, Integer> counts) {
    int least = counts.values().stream().mapToInt(count -> count).min().orElse(0);
    Node node = nodes.get(pod.getSpec().getNodeName());
    int mine = counts.getOrDefault(node.getMetadata().getLabels().get(rule.getTopologyKey()), 0);
    if (mine - least > rule.getMaxSkew()) {
      violations.add("%s: the skew is %d: %s".formatted(name(pod), mine - least, counts));
    }
  }

  private static boolean sameNamespace(Pod one, Pod other) {
    return one.getMetadata().getNamespace().equals(other.getMetadata().getNamespace());
  }
}
