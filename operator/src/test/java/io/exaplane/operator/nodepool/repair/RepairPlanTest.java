// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeRepairSpec;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeCounts.Silent;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Nodes are deleted, and when none is. */
class RepairPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
  private static final NodeRepairSpec SPEC = new NodeRepairSpec(30, null);

  /** Of a pool of that size, with nodes that are silent for that many minutes. */
  private static NodeCounts counts(int registered, int number, Integer... minutes) {
    List<SilentNode> first = new ArrayList<>();
    for (int i = 0; i < minutes.length; i++) {
      first.add(new SilentNode("n" + i, "7", NOW.minusSeconds(60L * minutes[i])));
    }
    return new NodeCounts(registered, registered, 0, 0, List.of(), 0, 0, List.of(), new TreeMap<>())
        .with(new Silent(number, first));
  }

  private static RepairPlan plan(NodeCounts counts) {
    return RepairPlan.of(SPEC, counts, false, false, NOW);
  }

  @Test
  void nobodyIsSilent() {
    assertThat(plan(counts(10, 0)))
        .isEqualTo(
            new RepairPlan(List.of(), java.util.Optional.empty(), java.util.Optional.empty()));
  }

  @Test
  void whoIsSilentForLongEnoughIsDue() {
    RepairPlan plan = plan(counts(100, 3, 90, 30, 29));
    assertThat(plan.due()).extracting(SilentNode::name).containsExactly("n0", "n1");
    assertThat(plan.hold()).isEmpty();
    assertThat(plan(counts(100, 1, 29)).due()).isEmpty();
    assertThat(plan(counts(100, 1, 29)).next()).contains(NOW.plusSeconds(60));
  }

  @Test
  void guardAndSilentApiHold() {
    assertThat(RepairPlan.of(SPEC, counts(100, 1, 90), true, false, NOW).hold())
        .get()
        .asString()
        .contains("meltdown guard");
    RepairPlan silent = RepairPlan.of(SPEC, counts(100, 1, 90), false, true, NOW);
    assertThat(silent.due()).isEmpty();
    assertThat(silent.hold()).get().asString().contains("Available");
  }

  @Test
  void moreThanTheShareLooksLikeABrokenNetwork() {
    assertThat(plan(counts(100, 10, 90)).due()).hasSize(1);
    RepairPlan held = plan(counts(100, 11, 90));
    assertThat(held.due()).isEmpty();
    assertThat(held.hold())
        .contains(
            "11 of 100 nodes are silent, and spec.repair.maxSilentPercent 10 allows 10. Check the"
                + " network between the nodes and the API. If the hosts are gone, delete their"
                + " Nodes, or raise the value.");
    assertThat(plan(counts(3, 1, 90)).due()).as("one of a small pool").hasSize(1);
    assertThat(plan(counts(3, 2, 90)).due()).isEmpty();
    assertThat(
            RepairPlan.of(new NodeRepairSpec(30, 100), counts(3, 3, 90), false, false, NOW).due())
        .hasSize(1);
  }

  /**
   * A cut between most nodes and the API, as long as it likes, beside somebody who deletes whatever
   * is silent for too long: the naive one empties the cluster.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aCutDeletesNoNode(long seed) {
    Random random = new Random(seed);
    int nodes = 50 + random.nextInt(200);
    int share = 11 + random.nextInt(80);
    int naive = 0;
    int deleted = 0;
    for (int minute = 0; minute < 600; minute++) {
      Instant now = NOW.plusSeconds(60L * minute);
      int cut = Math.ceilDiv(nodes * share, 100);
      List<SilentNode> first = new ArrayList<>();
      for (int i = 0; i < Math.min(cut, NodeCounts.MOST_SILENT); i++) {
        first.add(new SilentNode("n" + i, "7", NOW));
      }
      NodeCounts counts = counts(nodes, 0).with(new Silent(cut, first));
      deleted += RepairPlan.of(SPEC, counts, false, false, now).due().size();
      naive +=
          (int) first.stream().filter(node -> node.since().plusSeconds(1800).isBefore(now)).count();
    }
    assertThat(deleted).isZero();
    assertThat(naive).isPositive();
  }
}
