// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes up the terms of pods: which nodes, which neighbours, how evenly. */
final class TermMaker {
  private final Dice dice;

  TermMaker(Dice dice) {
    this.dice = dice;
  }

  List<Map<String, Object>> tolerations() {
    List<Map<String, Object>> tolerations = new ArrayList<>();
    for (int i = 0, n = dice.between(1, 3); i < n; i++) {
      tolerations.add(
          dice.one(
              map(
                  "key",
                  dice.one("dedicated", "spot", "maintenance"),
                  "operator",
                  "Exists",
                  "effect",
                  effect()),
              map(
                  "key",
                  dice.one("dedicated", "spot"),
                  "operator",
                  dice.one("Equal", null),
                  "value",
                  dice.one("a", "b", null),
                  "effect",
                  effect()),
              map("operator", "Exists", "effect", effect()),
              map("key", "dedicated", "operator", "Gt", "value", "5", "effect", effect()),
              map(
                  "key",
                  "node.kubernetes.io/unschedulable",
                  "operator",
                  "Exists",
                  "effect",
                  "NoSchedule")));
    }
    return tolerations;
  }

  private String effect() {
    return dice.one("NoSchedule", "NoExecute", "PreferNoSchedule", null, null);
  }

  Map<String, Object> nodeAffinity() {
    List<Map<String, Object>> preferred = new ArrayList<>();
    for (int i = 0, n = dice.below(4); i < n; i++) {
      preferred.add(map("weight", dice.between(1, 100), "preference", nodeTerm()));
    }
    List<Map<String, Object>> required = new ArrayList<>();
    for (int i = 0, n = dice.between(1, 2); i < n; i++) {
      required.add(nodeTerm());
    }
    return map(
        "requiredDuringSchedulingIgnoredDuringExecution",
            dice.chance(0.6) ? map("nodeSelectorTerms", required) : null,
        "preferredDuringSchedulingIgnoredDuringExecution", preferred.isEmpty() ? null : preferred);
  }

  private Map<String, Object> nodeTerm() {
    List<Map<String, Object>> expressions = new ArrayList<>();
    for (int i = 0, n = dice.below(3); i < n; i++) {
      expressions.add(nodeRequirement());
    }
    List<Map<String, Object>> fields = new ArrayList<>();
    for (int i = 0, n = dice.chance(0.25) ? dice.between(1, 2) : 0; i < n; i++) {
      fields.add(
          map(
              "key",
              "metadata.name",
              "operator",
              dice.one("In", "In", "NotIn"),
              "values",
              List.of("n" + dice.below(6))));
    }
    return map(
        "matchExpressions",
        expressions.isEmpty() ? null : expressions,
        "matchFields",
        fields.isEmpty() ? null : fields);
  }

  private Map<String, Object> nodeRequirement() {
    return dice.one(
        map(
            "key",
            "disk",
            "operator",
            "In",
            "values",
            dice.one(List.of("ssd"), List.of("ssd", "hdd"))),
        map("key", "disk", "operator", "NotIn", "values", List.of("hdd")),
        map("key", dice.one("rack", "generation"), "operator", "Exists"),
        map("key", dice.one("rack", "generation"), "operator", "DoesNotExist"),
        map("key", "generation", "operator", "Gt", "values", List.of("1")),
        map("key", "generation", "operator", "Lt", "values", List.of("3")),
        map("key", NodeMaker.ZONE, "operator", "In", "values", List.of("eu-west-0", "eu-west-2")));
  }

  Map<String, Object> podAffinity() {
    List<Map<String, Object>> required = new ArrayList<>();
    for (int i = 0, n = dice.below(3); i < n; i++) {
      required.add(podTerm());
    }
    List<Map<String, Object>> preferred = new ArrayList<>();
    for (int i = 0, n = dice.below(3); i < n; i++) {
      preferred.add(map("weight", dice.between(1, 100), "podAffinityTerm", podTerm()));
    }
    return map(
        "requiredDuringSchedulingIgnoredDuringExecution", required.isEmpty() ? null : required,
        "preferredDuringSchedulingIgnoredDuringExecution", preferred.isEmpty() ? null : preferred);
  }

  private Map<String, Object> podTerm() {
    return map(
        "topologyKey",
        dice.one(NodeMaker.HOSTNAME, NodeMaker.ZONE, NodeMaker.ZONE, "rack"),
        "labelSelector",
        podSelector(),
        "namespaces",
        dice.chance(0.2) ? List.of(dice.one(PodMaker.NAMESPACES), "shop") : null,
        "namespaceSelector",
        dice.chance(0.3) ? namespaceSelector() : null);
  }

  private Map<String, Object> namespaceSelector() {
    return dice.one(
        map(),
        map("matchLabels", map("team", "a")),
        map(
            "matchExpressions",
            List.of(map("key", "team", "operator", "NotIn", "values", List.of("b")))),
        map("matchExpressions", List.of(map("key", "team", "operator", "Exists"))),
        map("matchExpressions", List.of(map("key", "absent", "operator", "DoesNotExist"))));
  }

  Map<String, Object> podSelector() {
    return dice.one(
        map("matchLabels", map("app", dice.one("web", "db", "cache"))),
        map("matchLabels", map("app", "web", "tier", dice.one("front", "back"))),
        map(
            "matchExpressions",
            List.of(map("key", "app", "operator", "In", "values", List.of("web", "db")))),
        map(
            "matchExpressions",
            List.of(map("key", "tier", "operator", "NotIn", "values", List.of("back")))),
        map("matchExpressions", List.of(map("key", "tier", "operator", "Exists"))),
        map("matchExpressions", List.of(map("key", "version", "operator", "DoesNotExist"))),
        dice.chance(0.3) ? map() : null);
  }

  List<Map<String, Object>> spreadConstraints() {
    List<Map<String, Object>> constraints = new ArrayList<>();
    for (String key : dice.some(3, List.of(NodeMaker.HOSTNAME, NodeMaker.ZONE, "rack"))) {
      String action = dice.one("DoNotSchedule", "ScheduleAnyway");
      constraints.add(
          map(
              "maxSkew",
              dice.one(1, 1, 2, 3),
              "topologyKey",
              key,
              "whenUnsatisfiable",
              action,
              "labelSelector",
              podSelector(),
              "minDomains",
              action.equals("DoNotSchedule") && dice.chance(0.3) ? dice.between(1, 4) : null,
              "nodeAffinityPolicy",
              dice.one("Honor", "Ignore", null, null),
              "nodeTaintsPolicy",
              dice.one("Honor", "Ignore", null, null),
              "matchLabelKeys",
              dice.chance(0.2) ? List.of("version", "absent") : null));
    }
    return constraints.isEmpty() ? null : constraints;
  }
}
