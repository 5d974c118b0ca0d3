// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Plain;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What the seed's tree of schedulers did wrong, by the numbers of the reference's list (§3.2).
 * Those of its API side (5, 6, 14) are tested on a real server.
 */
class SeedDefectsTest {
  private static final int NODES = 40;

  private final Cluster cluster = Clusters.of(objects(), Version.newest());
  private final TestTree tree = new TestTree(cluster, Profile.defaults(Version.newest()), 1);

  private static List<Map<String, Object>> objects() {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      objects.add(Plain.node("n" + i, "8"));
    }
    objects.add(Plain.waiting("p", Map.of("cpu", "1"), new HashMap<>()));
    return objects;
  }

  private Pod pod() {
    return cluster.pods().iterator().next().pod();
  }

  private Set<String> named() throws InterruptedException {
    List<BestOfCell> all = tree.gatherer.ask(pod().spec(), NODES).cells();
    Set<String> names = new HashSet<>();
    for (BestOfCell cell : all) {
      for (int node : cell.nodes()) {
        assertThat(names.add(cluster.nodes().node(node).name())).as("named once").isTrue();
      }
    }
    return names;
  }

  /** 9: a score that came while the others were being looked at made its sender wait for ever. */
  @Test
  void defect9NobodyWaitsForAnAnswerThatIsNotTaken() throws InterruptedException {
    tree.addShard(-1);
    tree.addShard(-1);
    tree.pauseShard(0);
    assertThat(tree.gatherer.ask(pod().spec(), 4)).isNull();
    tree.settle();
    assertThat(named()).hasSize(NODES);
  }

  /** 10: a score that came late won by itself, and a pod was bound twice. */
  @Test
  void defect10AnAnswerThatComesLateIsNoAnswerToAnythingElse() throws InterruptedException {
    tree.addShard(-1);
    named();
    BestOfCell wrong = new BestOfCell(1, 1, new int[] {0}, new int[] {9999}, new long[] {0});
    tree.gatherer.take(new Up.Answer(1, List.of(wrong), List.of()));
    assertThat(named()).hasSize(NODES);
    assertThat(tree.gatherer.picture().missed()).isZero();
  }

  /** 11: members that saw others than the rest let two of them decide. */
  @Test
  void defect11WhoIsNoMemberIsNotHeard() throws InterruptedException {
    tree.addShard(-1);
    tree.gatherer.take(new Up.Pong(99, 77, 1_000_000));
    tree.gatherer.take(new Up.Left(77));
    tree.settle();
    assertThat(tree.gatherer.picture().members()).hasSize(1);
    assertThat(named()).hasSize(NODES);
  }

  /** 12 and 13: what was lost on the way was waited for, and a broken way never mended. */
  @Test
  void defect12And13AWayThatBreaksEndsTheQuestionAndIsMended() throws InterruptedException {
    tree.addRelay();
    tree.addShard(0);
    tree.addShard(0);
    tree.loseShard(0);
    assertThat(tree.gatherer.isComplete()).isTrue();
    assertThat(named()).hasSize(NODES);
    tree.addShard(0);
    assertThat(named()).hasSize(NODES);
    assertThat(tree.gatherer.picture().missed()).isZero();
  }

  /** 15: nodes that changed hands belonged to two schedulers, or to none for half a minute. */
  @Test
  void defect15NodesThatChangeHandsBelongToOne() throws InterruptedException {
    for (int shards = 1; shards <= 5; shards++) {
      tree.addShard(-1);
      assertThat(named()).hasSize(NODES);
    }
    while (tree.shards() > 1) {
      tree.loseShard(0);
      assertThat(named()).hasSize(NODES);
      int nodes = tree.gatherer.picture().members().stream().mapToInt(Picture.Seen::nodes).sum();
      assertThat(nodes).isEqualTo(NODES);
    }
  }
}
