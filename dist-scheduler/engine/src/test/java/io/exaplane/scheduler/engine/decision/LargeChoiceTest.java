// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes on clusters with more domains and more changes than made-up ones have. */
class LargeChoiceTest {
  private static final int NODES = 240;
  private static final int PODS = 300;
  private static final int MORE_THAN_IS_KEPT = 70_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 40})
  void racksOfAnySize(int nodesPerRack) {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      String rack = "rack-" + i / nodesPerRack;
      objects.add(node("n" + i, map("rack", rack, "topology.kubernetes.io/zone", "z" + i % 3)));
    }
    for (int i = 0; i < PODS; i++) {
      objects.add(waiting("p" + i, i % 3));
    }
    assertThat(choices(objects, false)).isEqualTo(choices(objects, true)).hasSize(PODS);
  }

  @Test
  void anIndexThatMissedTooManyChangesLooksAtAllNodes() {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      objects.add(node("n" + i, map("topology.kubernetes.io/zone", "z" + i % 3)));
    }
    for (int i = 0; i < 9; i++) {
      objects.add(waiting("p" + i, 1));
    }
    Cluster cluster = Clusters.of(objects, Version.newest());
    Profile profile = Profile.defaults(Version.newest());
    Decider indexed = new Decider(cluster, profile, 1, false);
    ObjectReader reader = new ObjectReader(cluster, Version.newest());
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Decision decision = indexed.decide(cluster.pod("default/p" + i));
      Decider asking = new Decider(cluster, profile, 1, true);
      assertThat(decision.node()).isEqualTo(asking.decide(decision.pod()).node());
      chosen.add(decision.node());
      indexed.apply(decision);
      Map<String, Object> passing = waiting("passing", 1);
      passing.put("spec", map("nodeName", "n" + i % 6, "containers", List.of(container("3"))));
      for (int j = 0; j < (i % 3 == 2 ? MORE_THAN_IS_KEPT / 2 : 1); j++) {
        reader.read(Fields.of(passing, ""));
        cluster.removePod("default/passing");
      }
      reader.read(Fields.of(passing, ""));
    }
    assertThat(chosen).hasSize(9).doesNotContain("");
  }

  private static List<String> choices(List<Map<String, Object>> objects, boolean withReasons) {
    List<String> choices = new ArrayList<>();
    Cluster cluster = Clusters.of(objects, Version.newest());
    new Decider(cluster, Profile.defaults(Version.newest()), 1, withReasons)
        .placeAll(d -> choices.add(d.pod().pod().name() + " -> " + d.node()));
    return choices;
  }

  private static Map<String, Object> node(String name, Map<String, Object> labels) {
    labels.put("kubernetes.io/hostname", name);
    Map<String, Object> amounts = map("cpu", "4", "memory", "8Gi", "pods", "110");
    return map(
        "kind",
        "Node",
        "metadata",
        map("name", name, "labels", labels),
        "status",
        map("allocatable", amounts));
  }

  private static Map<String, Object> container(String cpu) {
    return map("name", "c", "resources", map("requests", map("cpu", cpu)));
  }

  /** Of three kinds: spread over racks; spread over zones and far from its like; near its like. */
  private static Map<String, Object> waiting(String name, int kind) {
    Map<String, Object> selector = map("matchLabels", map("kind", "k" + kind));
    Map<String, Object> spec =
        switch (kind) {
          case 0 -> map("topologySpreadConstraints", List.of(spread("rack", true, selector)));
          case 1 ->
              map(
                  "topologySpreadConstraints",
                  List.of(spread("topology.kubernetes.io/zone", false, selector)),
                  "affinity",
                  map("podAntiAffinity", preferred("rack", selector)));
          default -> map("affinity", map("podAffinity", preferred("rack", selector)));
        };
    spec.put("containers", List.of(container("500m")));
    return map(
        "kind",
        "Pod",
        "metadata",
        map("name", name, "namespace", "default", "labels", map("kind", "k" + kind)),
        "spec",
        spec);
  }

  private static Map<String, Object> spread(String key, boolean hard, Map<String, Object> pods) {
    return map(
        "maxSkew",
        1,
        "topologyKey",
        key,
        "whenUnsatisfiable",
        hard ? "DoNotSchedule" : "ScheduleAnyway",
        "labelSelector",
        pods);
  }

  private static Map<String, Object> preferred(String key, Map<String, Object> pods) {
    Map<String, Object> term = map("labelSelector", pods, "topologyKey", key);
    return map(
        "preferredDuringSchedulingIgnoredDuringExecution",
        List.of(map("weight", 7, "podAffinityTerm", term)));
  }
}
