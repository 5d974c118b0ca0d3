// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import io.exaplane.scheduler.engine.model.Version;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes up clusters, by a seed. */
public final class ScenarioMaker {
  private final Dice dice;
  private final boolean modern;

  /** Of what came with 1.37; null for older versions. */
  private final Additions additions;

  private boolean devices = true;

  /** With what the newest version knows. */
  public ScenarioMaker(long seed) {
    this(seed, Version.newest());
  }

  /** With what a version knows, as far as it is sure what it decides. */
  public ScenarioMaker(long seed, Version version) {
    dice = new Dice(seed);
    modern = version.atLeast(Version.V1_36);
    additions = version.atLeast(Version.V1_37) ? new Additions(seed) : null;
  }

  /** Whose pods claim no devices. */
  public ScenarioMaker withoutDevices() {
    devices = false;
    return this;
  }

  /** Nodes, pods on them, pods that wait, and what they refer to. */
  public List<Map<String, Object>> objects() {
    Set<PodMaker.Feature> features = EnumSet.noneOf(PodMaker.Feature.class);
    for (PodMaker.Feature feature : PodMaker.Feature.values()) {
      if (dice.chance(0.35)) {
        features.add(feature);
      }
    }
    List<Map<String, Object>> objects = new ArrayList<>();
    int nodes = dice.one(1, 2, 3, 5, 8, 13, 25);
    NodeMaker nodeMaker = new NodeMaker(dice);
    for (int i = 0; i < nodes; i++) {
      objects.add(nodeMaker.node(i));
    }
    for (String namespace : PodMaker.NAMESPACES) {
      if (!dice.chance(0.1)) {
        objects.add(
            map(
                "apiVersion",
                "v1",
                "kind",
                "Namespace",
                "metadata",
                map(
                    "name",
                    namespace,
                    "labels",
                    dice.one(map("team", "a"), map("team", "b"), null))));
      }
    }
    workloads(objects);
    budgets(objects);
    boolean crowded = dice.chance(0.4);
    if (crowded) {
      features.add(PodMaker.Feature.PRIORITY);
    }
    VolumeMaker volumes = new VolumeMaker(dice);
    boolean withVolumes = features.contains(PodMaker.Feature.VOLUMES);
    List<Map<String, Object>> volumeObjects = withVolumes ? volumes.objects(nodes) : List.of();
    if (!devices) {
      features.remove(PodMaker.Feature.DEVICES);
    }
    DeviceMaker deviceMaker = new DeviceMaker(dice, modern);
    boolean withDevices = features.contains(PodMaker.Feature.DEVICES);
    List<Map<String, Object>> deviceObjects = withDevices ? deviceMaker.objects(nodes) : List.of();
    ClaimMaker claims = withDevices ? new ClaimMaker(dice, modern, deviceMaker.devices()) : null;
    PodMaker pods = new PodMaker(dice, features, volumes, claims, nodes);
    if (crowded && dice.chance(0.3)) {
      for (int i = dice.between(2, 6); i > 0; i--) {
        objects.addAll(pods.onEach(nodes, i));
      }
    }
    int[] onNode = new int[nodes];
    for (int i = dice.between(0, nodes * (crowded ? 12 : 3)); i > 0; i--) {
      int node = dice.below(nodes);
      objects.add(pods.pod(dice.chance(0.02) ? "gone" : "n" + node, null, onNode[node]++));
    }
    for (int i = dice.between(1, 6); i > 0; i--) {
      boolean nominated = features.contains(PodMaker.Feature.PRIORITY) && dice.chance(0.25);
      objects.add(pods.pod(null, nominated ? "n" + dice.below(nodes + 1) : null, 0));
    }
    objects.addAll(volumeObjects);
    objects.addAll(deviceObjects);
    if (claims != null) {
      objects.addAll(claims.objects());
    }
    return additions == null ? objects : additions.to(objects);
  }

  private void workloads(List<Map<String, Object>> objects) {
    if (!dice.chance(0.5)) {
      return;
    }
    for (String namespace : PodMaker.NAMESPACES) {
      Map<String, Object> web = map("app", dice.one("web", "db"));
      objects.add(
          map(
              "apiVersion",
              "v1",
              "kind",
              "Service",
              "metadata",
              map("name", "web", "namespace", namespace),
              "spec",
              map("selector", dice.one(web, null))));
      objects.add(
          map(
              "apiVersion",
              "apps/v1",
              "kind",
              "ReplicaSet",
              "metadata",
              map("name", "web", "namespace", namespace),
              "spec",
              map("selector", map("matchLabels", map("app", "web")))));
      objects.add(
          map(
              "apiVersion",
              "apps/v1",
              "kind",
              "StatefulSet",
              "metadata",
              map("name", "db", "namespace", namespace),
              "spec",
              map(
                  "selector",
                  map(
                      "matchExpressions",
                      List.of(
                          map("key", "app", "operator", "In", "values", List.of("db", "web")))))));
      objects.add(
          map(
              "apiVersion",
              "v1",
              "kind",
              "ReplicationController",
              "metadata",
              map("name", "old", "namespace", namespace),
              "spec",
              map("selector", map("tier", "front"))));
    }
  }

  private void budgets(List<Map<String, Object>> objects) {
    TermMaker terms = new TermMaker(dice);
    for (int i = 0, n = dice.below(4); i < n; i++) {
      objects.add(
          map(
              "apiVersion", "policy/v1",
              "kind", "PodDisruptionBudget",
              "metadata", map("name", "b" + i, "namespace", dice.one(PodMaker.NAMESPACES)),
              "spec", map("selector", terms.podSelector()),
              "status",
                  map(
                      "disruptionsAllowed", dice.below(3),
                      "currentHealthy", 1,
                      "desiredHealthy", 1,
                      "expectedPods", 1,
                      "disruptedPods",
                          dice.chance(0.2)
                              ? map("e" + dice.below(5), "2026-01-01T00:00:00Z")
                              : null)));
    }
  }
}
