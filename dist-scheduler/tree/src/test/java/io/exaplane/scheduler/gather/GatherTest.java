// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.LabelSelector;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.Workload;
import io.exaplane.scheduler.engine.placement.Candidates;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Copies;
import io.exaplane.scheduler.engine.scenario.Dice;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Whatever shards and relays there are, and whoever comes and goes meanwhile: what is decided by
 * what they say is what one engine decides.
 */
class GatherTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 10);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
  private static final int COPIES = 5;
  private static final double CHANGE = 0.05;

  private int byShards;
  private int alone;
  private int placed;
  private int asked;

  @Test
  void decidesAsOneEngine() throws InterruptedException {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      new Run(seed).compare();
    }
    System.out.printf(
        "%d decided by shards, %d placed, %d rounds; %d could be so and were not%n",
        byShards, placed, asked, alone);
    assertThat(byShards).isGreaterThanOrEqualTo(2 * SCENARIOS);
    assertThat(placed).isGreaterThanOrEqualTo(SCENARIOS);
    assertThat(asked).isLessThan(byShards * 3 / 4);
    assertThat(alone).isLessThan(byShards / 4);
  }

  private final class Run {
    private final Dice dice;
    private final Cluster cluster;
    private final Cluster same;
    private final Decider one;
    private final Decider other;
    private final TestTree tree;
    private final long seed;
    private final Version version;
    private final Map<Object, Candidates> known = new HashMap<>();
    private final List<Node> gone = new ArrayList<>();

    Run(long seed) {
      this.seed = seed;
      dice = new Dice(seed);
      version = dice.one(Version.values());
      Profile profile = Profile.defaults(version);
      List<Map<String, Object>> objects = Copies.crowd(new ScenarioMaker(seed).objects(), COPIES);
      cluster = Clusters.of(objects, version);
      same = Clusters.forgetful(objects, version, dice.below(5));
      one = new Decider(cluster, profile, seed, false);
      other = new Decider(same, profile, seed, false);
      tree = new TestTree(same, profile, seed);
      int relays = dice.below(3);
      for (int i = 0; i < relays; i++) {
        tree.addRelay();
      }
      for (int shards = 1 + dice.below(5); shards > 0; shards--) {
        tree.addShard(dice.below(3));
      }
    }

    void compare() throws InterruptedException {
      for (PlacedPod waiting : one.waiting()) {
        PlacedPod pod = cluster.pod(waiting.pod().key());
        if (pod == null || !pod.pod().nodeName().isEmpty()) {
          continue;
        }
        Decision expected = one.decide(pod);
        PlacedPod twin = same.pod(pod.pod().key());
        Decision decision = decide(twin);
        assertThat(words(decision))
            .as("seed %d, pod %s, %d shards", seed, pod.pod().key(), tree.shards())
            .isEqualTo(words(expected));
        one.apply(expected);
        other.apply(decision);
        placed += decision.node().isEmpty() ? 0 : 1;
        change();
      }
    }

    private Decision decide(PlacedPod pod) throws InterruptedException {
      Decision decision = other.takesCandidates(pod) ? byShards(pod) : null;
      boolean isThere = decision != null && !decision.node().isEmpty();
      return isThere ? decision : other.decide(pod);
    }

    private Decision byShards(PlacedPod pod) throws InterruptedException {
      Candidates before = known.get(other.alike(pod));
      Decision decision = before == null ? null : other.decide(pod, before);
      if (decision == null) {
        asked++;
        Up.Answer said = tree.gatherer.ask(pod.spec(), 1 + dice.below(4));
        boolean tells = said != null && said.cells() != null;
        Candidates fresh = tells ? other.candidates(pod, said.cells()) : null;
        known.put(other.alike(pod), fresh);
        decision = fresh == null ? null : other.decide(pod, fresh);
        // What shards say is enough for one decision at least.
        assertThat(!tells || decision != null).as("seed %d", seed).isTrue();
      }
      if (decision == null) {
        alone++;
        return null;
      }
      byShards++;
      Decision all = other.decide(pod);
      assertThat(all.node()).as("seed %d, by shards", seed).isEqualTo(decision.node());
      return decision;
    }

    private void change() {
      if (dice.chance(CHANGE)) {
        tree.comesAndGoesAtOnce(dice.below(3));
      }
      if (dice.chance(CHANGE)) {
        tree.addShard(dice.below(3));
      }
      if (dice.chance(CHANGE) && tree.shards() > 1) {
        tree.loseShard(dice.below(tree.shards()));
      }
      if (dice.chance(CHANGE)) {
        gone.forEach(this::put);
        gone.clear();
        Node node = cluster.nodes().node(dice.below(cluster.nodes().size()));
        if (node != null && dice.chance(0.5)) {
          cluster.removeNode(node.name());
          same.removeNode(node.name());
          gone.add(node);
        } else if (node != null) {
          put(
              new Node(
                  node.name(),
                  node.labels(),
                  !node.unschedulable(),
                  node.taints(),
                  node.allocatable(),
                  node.allowedPods(),
                  node.images(),
                  node.features()));
        }
      }
      if (dice.chance(CHANGE)) {
        surroundingsChange();
      }
      if (dice.chance(CHANGE)) {
        somebodyElsesPodComes();
      }
      if (dice.chance(CHANGE)) {
        List<PlacedPod> all = List.copyOf(cluster.pods());
        String key = dice.one(all).pod().key();
        cluster.removePod(key);
        same.removePod(key);
      }
    }

    private void surroundingsChange() {
      PlacedPod any = dice.one(List.copyOf(cluster.pods()));
      String namespace = any.spec().namespace();
      switch (dice.below(4)) {
        case 0 -> {
          LabelSelector selector = LabelSelector.ofLabels(any.spec().labels().toMap());
          Workload service = new Workload(Workload.SERVICE, namespace, "late", selector);
          cluster.surroundings().putWorkload(service);
          same.surroundings().putWorkload(service);
        }
        case 1 -> {
          cluster.surroundings().removeWorkload(Workload.SERVICE, namespace, "late");
          same.surroundings().removeWorkload(Workload.SERVICE, namespace, "late");
        }
        case 2 -> {
          Labels labels = dice.one(List.copyOf(cluster.pods())).spec().labels();
          cluster.surroundings().putNamespace(namespace, labels);
          same.surroundings().putNamespace(namespace, labels);
        }
        default -> {
          cluster.surroundings().removeNamespace(namespace);
          same.surroundings().removeNamespace(namespace);
        }
      }
    }

    /** One that wants to be near to or far from others as nobody did before, perhaps. */
    private void somebodyElsesPodComes() {
      Node node = cluster.nodes().node(dice.below(cluster.nodes().size()));
      List<PlacedPod> others =
          List.copyOf(Clusters.of(new ScenarioMaker(seed + 7_777_777).objects(), version).pods());
      if (node == null || others.isEmpty()) {
        return;
      }
      Pod other = dice.one(others).pod();
      Pod late =
          new Pod(
              "late-" + dice.below(1000),
              other.spec(),
              "",
              node.name(),
              "",
              false,
              0,
              0,
              false,
              "");
      cluster.putPod(late);
      same.putPod(late);
    }

    private void put(Node node) {
      cluster.putNode(node);
      same.putNode(node);
    }
  }

  private static String words(Decision decision) {
    return decision.node()
        + " "
        + decision.score()
        + " "
        + decision.nominated()
        + decision.victims().stream().map(victim -> victim.pod().key()).toList();
  }
}
