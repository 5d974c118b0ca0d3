// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.address.NodeCounts.Late;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is counted of heartbeats, and of Nodes of which nobody knows anything. */
class NodeCounterTest {
  private static final Instant LATER = Nodes.START.plus(Duration.ofHours(1));
  private static final ClusterPlan PLAN =
      Nodes.plan(new PoolPlan("p", OptionalInt.empty(), List.of(), 100));

  private static NodeCounts count(Instant now, Node... nodes) {
    NodeCounter counter = new NodeCounter(PLAN, now);
    for (Node node : nodes) {
      counter.add(NodeFacts.of(node), Decision.NONE, true, Optional.empty());
    }
    return counter.counts().get("p");
  }

  private static Node node(String name, String heartbeats, String ready, Instant since) {
    NodeBuilder node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .withUid("u-" + name)
            .withResourceVersion("7")
            .withCreationTimestamp(Nodes.START.toString())
            .addToLabels(NodePoolNames.NODE_LABEL, "p")
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus(ready)
            .withLastTransitionTime(since.toString())
            .endCondition()
            .endStatus();
    if (!heartbeats.isEmpty()) {
      node.editMetadata().addToAnnotations(NodePoolNames.HEARTBEATS, heartbeats).endMetadata();
    }
    return node.build();
  }

  @Test
  void heartbeatsAreCountedByWhatNodesSaid() {
    NodeCounts.Beats beats =
        count(
                LATER,
                node("a", "40-10-300", "True", LATER),
                node("b", "40-10-300", "True", LATER),
                node("c", "80-10-300", "True", LATER),
                node("d", "", "True", LATER),
                node("e", "nonsense", "True", LATER))
            .heartbeats();
    assertThat(beats.nodes()).isEqualTo(Map.of("40-10-300", 2, "80-10-300", 1));
    assertThat(beats.reported()).isEqualTo(3);
    assertThat(beats.unreported()).isEqualTo(2);
    assertThat(beats.longestLease()).isEqualTo(80);
  }

  private static Node follower(String name, String authorities, String failure) {
    Node node = node(name, "", "True", LATER);
    Map<String, String> said = new TreeMap<>();
    if (!authorities.isEmpty()) {
      said.put(NodePoolNames.AUTHORITIES, authorities);
    }
    if (!failure.isEmpty()) {
      said.put(NodePoolNames.AUTHORITIES_FAILED, failure);
    }
    node.getMetadata().setAnnotations(said);
    return node;
  }

  @Test
  void nodesAreCountedByTheCasThatTheyFollow() {
    NodeCounts.Followers followers =
        count(
                LATER,
                follower("c", "0123456789abcdef", ""),
                follower("b", "", "openssl is\u001b missing"),
                follower("a", "fedcba9876543210", ""),
                follower("d", "0123456789abcdef", ""),
                follower("e", "0123456789ABCDEF-and-more", ""))
            .followers();
    assertThat(followers.of("0123456789abcdef")).isEqualTo(2);
    assertThat(followers.of("0000000000000000")).isZero();
    assertThat(followers.late("0123456789abcdef"))
        .containsExactly(
            new Late("a", true, ""),
            new Late("b", false, "openssl is? missing"),
            new Late("e", false, ""));
  }

  @Test
  void onlyTheFirstThatDoNotFollowAreNamed() {
    Node[] nodes = new Node[200];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = follower("n%03d".formatted(i), "%016x".formatted(i % 50), "");
    }
    NodeCounts.Followers followers = count(LATER, nodes).followers();
    assertThat(followers.groups()).hasSize(20);
    assertThat(followers.late("0000000000000000")).hasSize(10);
  }

  private static Node delivered(String name, String delivery) {
    Node node = node(name, "", "True", LATER);
    node.getMetadata().setAnnotations(Map.of(NodePoolNames.DELIVERY, delivery));
    return node;
  }

  /** Hosts write what they found, so it may be anything. */
  @Test
  void nodesAreCountedByHowPacketsForTheirPrefixCome() {
    assertThat(count(LATER, node("a", "", "True", LATER)).deliveries())
        .isEqualTo(NodeCounts.Deliveries.NONE);
    assertThat(
            count(
                    LATER,
                    delivered("a", "Routed"),
                    delivered("b", "OnLink"),
                    delivered("c", "OnLink"),
                    delivered("d", "Routed and more"),
                    delivered("e", ""))
                .deliveries())
        .isEqualTo(new NodeCounts.Deliveries(1, 2));
    assertThat(
            NodeFacts.of(delivered("a", "Routed")).looksAs(NodeFacts.of(delivered("a", "OnLink"))))
        .isFalse();
  }

  /** Also if nothing else of the Node changes. */
  @Test
  void anotherWordOfTheHostIsCountedAgain() {
    NodeFacts before = NodeFacts.of(follower("a", "", ""));
    assertThat(before.looksAs(NodeFacts.of(follower("a", "0123456789abcdef", "")))).isFalse();
    assertThat(before.looksAs(NodeFacts.of(follower("a", "", "openssl")))).isFalse();
    assertThat(before.looksAs(NodeFacts.of(follower("a", "", "")))).isTrue();
  }

  @Test
  void aNodeThatJustJoinsMaySayNothing() {
    NodeCounts.Beats beats =
        count(Nodes.START.plusSeconds(10), node("a", "", "True", LATER)).heartbeats();
    assertThat(beats.unreported()).isZero();
    assertThat(beats.reported()).isZero();
  }

  @Test
  void silentIsWhomTheNodeControllerKnowsNothingOf() {
    NodeCounts.Silent silent =
        count(
                LATER,
                node("ready", "", "True", Nodes.START),
                node("unwell", "", "False", Nodes.START),
                node("new", "", "Unknown", Nodes.START.plusSeconds(9)),
                node("old", "", "Unknown", Nodes.START.plusSeconds(3)))
            .silent();
    assertThat(silent.number()).isEqualTo(2);
    assertThat(silent.first())
        .containsExactly(
            new SilentNode("old", "7", Nodes.START.plusSeconds(3)),
            new SilentNode("new", "7", Nodes.START.plusSeconds(9)));
  }

  @Test
  void onlyThoseSilentForLongestAreNamed() {
    Node[] nodes = new Node[25];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = node("n" + i, "", "Unknown", Nodes.START.plusSeconds(100 - i));
    }
    NodeCounts.Silent silent = count(LATER, nodes).silent();
    assertThat(silent.number()).isEqualTo(25);
    assertThat(silent.first()).hasSize(10).first().extracting(SilentNode::name).isEqualTo("n24");
  }
}
