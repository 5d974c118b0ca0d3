// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import static io.exaplane.operator.nodepool.address.Nodes.asking;
import static io.exaplane.operator.nodepool.address.Nodes.facts;
import static io.exaplane.operator.nodepool.address.Nodes.having;
import static io.exaplane.operator.nodepool.address.Nodes.plan;
import static io.exaplane.operator.nodepool.address.Nodes.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.address.NodeWriter.Outcome;
import io.exaplane.operator.nodepool.address.NodeWriter.Result;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What is written to Nodes, when, how often, and what is counted. */
class NodeRoundsTest {
  private static final ClusterPlan PLAN = plan(pool("p", 64, "2001:db8::/40"));
  private static final String ONE = "2001:db8:0:1::/64";
  private static final String TWO = "2001:db8:0:2::/64";

  private final FakeCluster cluster = new FakeCluster();
  private final List<String> told = new ArrayList<>();

  private NodeRounds operator() {
    NodeRounds rounds = cluster.operator();
    rounds.plan(PLAN, told::add);
    return rounds;
  }

  private static NodeCounts counts(NodeRounds rounds) {
    return rounds.counts("p").orElseThrow();
  }

  /** Until nothing is to be done at once. */
  private static void settle(NodeRounds rounds) {
    for (int i = 0; i < 1_000 && rounds.round(true).isZero(); i++) {
      continue;
    }
  }

  @Test
  void nothingIsDecidedBeforeAllNodesAreListed() {
    cluster.put(asking("n1", 1, ONE));
    NodeRounds rounds = operator();
    rounds.round(false);
    assertThat(cluster.attempts).isZero();
    assertThat(rounds.counts("p")).isEmpty();
    settle(rounds);
    assertThat(cluster.get("n1").podCidrs()).containsExactly(ONE);
  }

  @Test
  void nothingIsDecidedWithoutAPlan() {
    cluster.put(asking("n1", 1, ONE));
    cluster.operator().round(true);
    assertThat(cluster.attempts).isZero();
  }

  @Test
  void aPrefixIsWrittenOnceAndARefusalIsToldOnce() {
    cluster.put(asking("n1", 1, ONE));
    cluster.put(asking("n2", 2, ONE));
    NodeRounds rounds = operator();
    settle(rounds);
    settle(rounds);
    assertThat(cluster.writes).hasSize(2).first().isEqualTo("n1 " + ONE);
    assertThat(cluster.get("n2").refused()).contains("overlaps " + ONE + " of Node n1");
    // A kubelet's status changes nothing.
    cluster.ready("n1", true);
    cluster.ready("n2", true);
    settle(rounds);
    assertThat(cluster.attempts).isEqualTo(2);
    cluster.delete("n1");
    settle(rounds);
    assertThat(cluster.get("n2").podCidrs()).containsExactly(ONE);
    assertThat(cluster.get("n2").refused()).isEmpty();
  }

  @Test
  void aNodeThatIsNotOfAPoolIsNotWritten() {
    cluster.put(
        new NodeFacts(
            "other", "u", "1", Nodes.START, "", ONE, "somebody's", List.of(), true, "", ""));
    settle(operator());
    assertThat(cluster.attempts).isZero();
  }

  @Test
  void anotherOperatorGoesOnFromTheNodesAlone() {
    cluster.put(having("young", 9, ONE, ONE));
    cluster.put(asking("old", 1, ONE));
    NodeRounds rounds = operator();
    settle(rounds);
    assertThat(cluster.get("old").podCidrs()).isEmpty();
    assertThat(cluster.writes).hasSize(1);
    settle(operator());
    assertThat(cluster.writes).as("what is told already").hasSize(1);
  }

  @Test
  void aNodeThatChangedMeanwhileIsDecidedAgain() {
    cluster.put(asking("n1", 1, ONE));
    NodeRounds rounds = operator();
    // The host changes its mind while the operator decides; the watch is late.
    NodeFacts newer = cluster.store(asking("n1", 1, TWO));
    rounds.round(true);
    assertThat(cluster.writes).isEmpty();
    rounds.round(true);
    assertThat(cluster.attempts).as("without news").isEqualTo(1);
    cluster.show(newer);
    settle(rounds);
    assertThat(cluster.get("n1").podCidrs()).containsExactly(TWO);
    assertThat(cluster.writes).hasSize(1);
  }

  /** The watch shows the Node, and it is another one again. */
  @Test
  void whoChangesAllTheTimeIsNotHurriedAfter() {
    cluster.put(asking("n1", 1, ONE));
    NodeRounds rounds = operator();
    NodeFacts newer = cluster.store(asking("n1", 1, ONE));
    for (int i = 0; i < 100; i++) {
      rounds.round(true);
      NodeFacts shown = newer;
      newer = cluster.store(asking("n1", 1, ONE));
      cluster.show(shown);
      cluster.wait(Duration.ofMillis(60));
    }
    assertThat(cluster.attempts).as("in six seconds").isBetween(5, 12);
    cluster.show(newer);
    cluster.wait(WritePace.CHANGED);
    settle(rounds);
    assertThat(cluster.get("n1").podCidrs()).containsExactly(ONE);
  }

  @Test
  void aNodeThatIsGoneIsLeftAlone() {
    cluster.put(asking("n1", 1, ONE));
    NodeRounds rounds = operator();
    cluster.answers = _ -> new Outcome(Result.GONE, "");
    settle(rounds);
    settle(rounds);
    assertThat(cluster.attempts).isEqualTo(1);
  }

  @Test
  void whatTheApiRefusesIsToldOnceAndTriedAgain() {
    cluster.put(asking("n1", 1, ONE));
    cluster.put(asking("n2", 1, TWO));
    cluster.answers =
        write ->
            write.node().name().equals("n1")
                ? new Outcome(Result.REFUSED, "Webhook w refuses to change Node n1: no. Ask.")
                : null;
    NodeRounds rounds = operator();
    settle(rounds);
    settle(rounds);
    assertThat(cluster.get("n2").podCidrs()).containsExactly(TWO);
    assertThat(cluster.attempts).isEqualTo(2);
    cluster.wait(NodeRounds.COUNT_EVERY);
    settle(rounds);
    NodeCounts counts = counts(rounds);
    assertThat(counts.failures())
        .singleElement()
        .isEqualTo(
            new NodeCounts.Failure(
                "n1", Reason.WriteRefused, "Webhook w refuses to change Node n1: no. Ask."));
    told.clear();
    cluster.wait(WritePace.REFUSED);
    settle(rounds);
    assertThat(cluster.attempts).isEqualTo(3);
    assertThat(told).as("the same again").isEmpty();
    cluster.answers = _ -> null;
    cluster.wait(WritePace.REFUSED);
    settle(rounds);
    cluster.wait(NodeRounds.COUNT_EVERY);
    settle(rounds);
    assertThat(cluster.get("n1").podCidrs()).containsExactly(ONE);
    assertThat(counts(rounds).failures()).isEmpty();
  }

  @Test
  void anApiThatDoesNotAnswerIsAskedEverMoreSeldom() {
    for (int i = 1; i <= 50; i++) {
      cluster.put(asking("n" + i, i, "2001:db8:0:%x::/64".formatted(i)));
    }
    cluster.answers = _ -> new Outcome(Result.NOT_REACHED, "timeout");
    NodeRounds rounds = operator();
    for (int second = 0; second < 600; second++) {
      rounds.round(true);
      cluster.wait(Duration.ofSeconds(1));
    }
    assertThat(cluster.attempts).as("in ten minutes, for 50 Nodes").isBetween(8, 18);
    cluster.answers = _ -> null;
    cluster.wait(Duration.ofMinutes(1));
    settle(rounds);
    assertThat(cluster.writes).hasSize(50);
  }

  /** Seen one by one, which the watch's pause already prevents. */
  @Test
  void aHostThatWritesAThousandTimesCostsFewWrites() {
    cluster.put(asking("n1", 1, "nonsense"));
    cluster.put(asking("n2", 1, ONE));
    NodeRounds rounds = operator();
    for (int i = 0; i < 1_000; i++) {
      cluster.ask("n1", "nonsense-" + i);
      rounds.round(true);
      cluster.wait(Duration.ofMillis(60));
    }
    assertThat(cluster.writes).as("in a minute").hasSizeLessThan(15);
    assertThat(cluster.get("n2").podCidrs()).as("another").containsExactly(ONE);
    cluster.ask("n1", TWO);
    cluster.wait(WritePace.MOST);
    settle(rounds);
    assertThat(cluster.get("n1").podCidrs()).as("in the end").containsExactly(TWO);
    assertThat(cluster.get("n1").refused()).isEmpty();
  }

  @Test
  void aHostThatRemovesTheSentenceGetsItAgainAndEverMoreSlowly() {
    cluster.put(asking("n1", 1, "nonsense"));
    NodeRounds rounds = operator();
    for (int i = 0; i < 200; i++) {
      settle(rounds);
      cluster.put(asking("n1", 1, "nonsense"));
      cluster.wait(Duration.ofMillis(100));
    }
    assertThat(cluster.writes).hasSizeBetween(5, 12);
  }

  @Test
  void manyNodesAreWrittenInRounds() {
    for (int i = 0; i < 1_000; i++) {
      cluster.put(asking("n" + i, i, "2001:db8:0:%x::/64".formatted(i)));
    }
    NodeRounds rounds = operator();
    assertThat(rounds.round(true)).isZero();
    assertThat(cluster.writes).hasSize(100);
    settle(rounds);
    assertThat(cluster.writes).hasSize(1_000);
  }

  @Test
  void nodesAreCountedAndTheirPoolIsToldOfChangesOnly() {
    cluster.put(having("ready", 90, ONE, ONE));
    cluster.ready("ready", true);
    cluster.put(asking("joins", 95, ""));
    cluster.put(having("thief", 91, "", ONE));
    NodeRounds rounds = operator();
    settle(rounds);
    NodeCounts counts = counts(rounds);
    assertThat(counts.registered()).isEqualTo(3);
    assertThat(counts.ready()).isEqualTo(1);
    assertThat(counts.joining()).isEqualTo(1);
    assertThat(counts.failed()).isEqualTo(1);
    assertThat(counts.prefixesUsed()).isEqualTo(1);
    assertThat(counts.prefixesInConflict()).isEqualTo(1);
    assertThat(counts.conflicts()).isEqualTo(counts.failures()).hasSize(1);
    assertThat(counts.versions()).containsEntry("1.37.2", 3).hasSize(1);
    assertThat(told).containsExactly("p");
    cluster.wait(Duration.ofSeconds(3));
    settle(rounds);
    assertThat(told).hasSize(1);
    // Time alone changes what is said of the one that joins.
    cluster.wait(NodeCounter.JOINING);
    settle(rounds);
    assertThat(told).hasSize(2);
    assertThat(counts(rounds).joining()).isZero();
    assertThat(counts(rounds).failures())
        .anySatisfy(
            failure -> {
              assertThat(failure.node()).isEqualTo("joins");
              assertThat(failure.reason()).isEqualTo(Reason.PrefixMissing);
              assertThat(failure.message()).contains("join.sh --prefix");
            });
  }

  /** Nothing that is counted changes: the prefix that its host has is free now. */
  @Test
  void thePoolIsToldWhenANodeMayMoveOnlyNow() {
    Node moved = Nodes.node(having("n1", 1, TWO, ONE));
    moved.getMetadata().getAnnotations().put(NodePoolNames.READDRESSES, "yes");
    NodeItems items = new NodeItems(() -> {});
    items.put("n1", moved);
    items.put("other", Nodes.node(facts("other", 5, "", "", List.of(TWO))));
    NodeRounds rounds = new NodeRounds(items, cluster, "test", cluster.clock);
    rounds.plan(PLAN, told::add);
    settle(rounds);
    NodeCounts before = counts(rounds);
    told.clear();
    items.remove("other");
    cluster.wait(NodeRounds.COUNT_EVERY);
    settle(rounds);
    assertThat(counts(rounds)).isEqualTo(before);
    assertThat(told).containsExactly("p");
    told.clear();
    items.put("n1", moved);
    cluster.wait(NodeRounds.COUNT_EVERY);
    settle(rounds);
    assertThat(told).as("the same again").isEmpty();
  }

  /** A connection is replaced: a pass of each pool has to come, and to follow by the new one. */
  @Test
  void theEndIsToldToEachPool() {
    NodeRounds rounds = cluster.operator();
    rounds.end(true);
    rounds.plan(plan(pool("p", 64, "2001:db8::/40"), pool("q", 64, "2001:db9::/40")), told::add);
    settle(rounds);
    told.clear();
    rounds.end(false);
    assertThat(told).as("after a failure").isEmpty();
    rounds.end(true);
    assertThat(told).containsExactlyInAnyOrder("p", "q");
    assertThat(rounds.counts("p")).isEmpty();
  }

  @Test
  void aNodeThatWasReadyAndIsNotIsNoneThatJoins() {
    cluster.put(having("n1", 99, ONE, ONE));
    NodeRounds rounds = operator();
    settle(rounds);
    assertThat(counts(rounds).joining()).isEqualTo(1);
    cluster.ready("n1", true);
    cluster.wait(Duration.ofSeconds(3));
    settle(rounds);
    assertThat(counts(rounds).ready()).isEqualTo(1);
    cluster.ready("n1", false);
    cluster.wait(Duration.ofSeconds(3));
    settle(rounds);
    assertThat(counts(rounds).failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.NodesNotReady));
  }

  @Test
  void aPoolOfTheAllocatorIsCountedOnly() {
    cluster.put(facts("n1", 1, "a", "", List.of("10.0.0.0/24")));
    cluster.put(facts("n2", 1, "a", "", List.of()));
    cluster.ready("n1", true);
    cluster.ready("n2", true);
    NodeRounds rounds = cluster.operator();
    rounds.plan(plan(new PoolPlan("a", OptionalInt.empty(), List.of(), 5)), told::add);
    settle(rounds);
    NodeCounts counts = rounds.counts("a").orElseThrow();
    assertThat(counts.ready()).isEqualTo(2);
    assertThat(counts.prefixesUsed()).isZero();
    assertThat(cluster.attempts).isZero();
    assertThat(rounds.counts("p")).isEmpty();
  }

  @Test
  void deadHostsDoNotHideAMissingPrefix() {
    for (int i = 0; i < 20; i++) {
      cluster.put(having("a%02d".formatted(i), 1, "", "2001:db8:0:%x::/64".formatted(i + 1)));
    }
    cluster.put(asking("z", 1, ""));
    cluster.wait(NodeCounter.JOINING);
    NodeRounds rounds = operator();
    settle(rounds);
    assertThat(counts(rounds).failures().getFirst().reason()).isEqualTo(Reason.PrefixMissing);
  }

  /** Somebody else's CNI makes a Node Ready. */
  @Test
  void aYoungNodeThatIsReadyWithoutAPrefixJoins() {
    cluster.put(asking("n1", 99, ""));
    cluster.ready("n1", true);
    NodeRounds rounds = operator();
    settle(rounds);
    assertThat(counts(rounds).joining()).isEqualTo(1);
  }

  @Test
  void onlyTheFirstFailuresAreKept() {
    for (int i = 0; i < 30; i++) {
      cluster.put(asking("n%02d".formatted(i), i, "nonsense"));
    }
    NodeRounds rounds = operator();
    settle(rounds);
    NodeCounts counts = counts(rounds);
    assertThat(counts.failed()).isEqualTo(30);
    assertThat(counts.prefixesInConflict()).isEqualTo(30);
    assertThat(counts.failures())
        .extracting(NodeCounts.Failure::node)
        .hasSize(NodeCounts.MOST_FAILURES)
        .first()
        .isEqualTo("n00");
  }
}
