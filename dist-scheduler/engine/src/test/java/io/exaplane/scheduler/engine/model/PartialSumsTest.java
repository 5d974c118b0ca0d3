// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Dice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What parts of a cluster know of sums by domain, once each was told of the others. */
class PartialSumsTest {
  private static final String KEY = "zone";
  private static final int SCENARIOS = Integer.getInteger("scenarios", 400);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));

  private record Everything() implements PodCounter.Matcher {
    @Override
    public int times(PodSpec pod) {
      return 1;
    }
  }

  /** The nodes of a cluster, or some of them. */
  private static final class Part {
    final Cluster cluster = Clusters.of(List.of(), Version.newest());
    final ObjectReader reader = new ObjectReader(cluster, Version.newest());
    DomainSums sums;

    void put(Map<String, Object> object) {
      reader.read(Fields.of(object, ""));
    }

    /** Of nodes whose names do not end with 9; others are not eligible. */
    void sum(boolean missingToo) {
      Topology topology = cluster.topology(KEY);
      BitSet eligible = new BitSet();
      for (int node = 0; node < cluster.nodes().size(); node++) {
        eligible.set(node, !cluster.nodes().node(node).name().endsWith("9"));
      }
      int missing = missingToo ? topology.emptyDomain() : Topology.NONE;
      PodCounter pods = cluster.counter(new Everything());
      sums =
          cluster.sums(new DomainSums.Of(pods, topology, "not 9", () -> eligible, true, missing));
      pods.release();
    }
  }

  @Test
  void areThoseOfTheWholeCluster() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      compare(new Dice(seed), seed);
    }
  }

  private static void compare(Dice dice, long seed) {
    Part whole = new Part();
    List<Part> parts = new ArrayList<>();
    int count = dice.between(1, 4);
    for (int i = 0; i < count; i++) {
      parts.add(new Part());
    }
    List<Part> owners = new ArrayList<>();
    int nodes = dice.between(1, 14);
    for (int n = 0; n < nodes; n++) {
      Part owner = dice.one(parts);
      Map<String, Object> node = node("n" + n, dice);
      whole.put(node);
      owner.put(node);
      owners.add(owner);
    }
    exchangeNodes(parts);
    boolean missingToo = dice.chance(0.5);
    whole.sum(missingToo);
    parts.forEach(part -> part.sum(missingToo));
    for (int step = 0; step < 12; step++) {
      int node = dice.below(owners.size());
      String pod = "p" + dice.below(8);
      whole.cluster.removePod("default/" + pod);
      parts.forEach(part -> part.cluster.removePod("default/" + pod));
      if (dice.chance(0.7)) {
        List.of(whole, owners.get(node)).forEach(part -> part.put(pod(pod, "n" + node)));
      }
      exchangeSums(parts);
      for (Part part : parts) {
        assertThat(facts(part, part)).as("seed %d", seed).isEqualTo(facts(whole, part));
      }
    }
  }

  private static Map<String, Object> node(String name, Dice dice) {
    Map<String, Object> labels = new HashMap<>();
    if (dice.chance(0.9)) {
      labels.put(KEY, dice.chance(0.3) ? "of " + name : dice.one("", "a", "b", "c"));
    }
    return map("kind", "Node", "metadata", map("name", name, "labels", labels));
  }

  private static Map<String, Object> pod(String name, String node) {
    return map(
        "kind", "Pod",
        "metadata", map("name", name, "namespace", "default"),
        "spec", map("nodeName", node, "containers", List.of()));
  }

  private static void exchangeNodes(List<Part> parts) {
    Set<String> seen = new HashSet<>();
    Set<String> shared = new HashSet<>();
    int nodes = 0;
    for (Part part : parts) {
      nodes += part.cluster.nodesHere();
      for (String value : part.cluster.topology(KEY).inhabited()) {
        if (!seen.add(value)) {
          shared.add(value);
        }
      }
    }
    for (Part part : parts) {
      int others = nodes - part.cluster.nodesHere();
      part.cluster.putElsewhere(new Elsewhere.Nodes(others, Map.of(), Map.of(KEY, shared)));
    }
  }

  private static void exchangeSums(List<Part> parts) {
    List<PartialSums> told = parts.stream().map(part -> part.sums.part()).toList();
    for (int i = 0; i < told.size(); i++) {
      PartialSums others = PartialSums.NONE;
      for (int j = 0; j < told.size(); j++) {
        others = j == i ? others : others.plus(told.get(j));
      }
      parts.get(i).cluster.putElsewhere(Map.of(parts.get(i).sums.key(), others), Map.of());
    }
  }

  /** What one knows of the domains of the other's nodes, and of all together. */
  private static List<Object> facts(Part one, Part other) {
    List<Object> facts = new ArrayList<>();
    for (String value : new TreeSet<>(other.cluster.topology(KEY).inhabited())) {
      facts.add(value + ": " + one.sums.of(one.cluster.topology(KEY).domainOf(value)));
    }
    facts.add("smallest " + one.sums.min());
    facts.add("domains " + one.sums.domains());
    facts.add("total " + one.sums.total());
    return facts;
  }
}
