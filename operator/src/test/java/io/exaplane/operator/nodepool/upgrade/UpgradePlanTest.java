// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.upgrade.Turn.Phase;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which node is drained next, and what holds the others. */
class UpgradePlanTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
  private static final String OLD = "1.36.4";
  private static final String NEW = "1.37.2";

  private NodeUpgradeSpec spec = new NodeUpgradeSpec(20, null, null).filled();
  private Map<String, Drain> drains = Map.of();
  private Map<String, Instant> away = Map.of();
  private Optional<String> held = Optional.empty();

  static NodeTurn node(String name, String zone, boolean ready, String kubelet) {
    return new NodeTurn(name, "uid-" + name, "7", zone, ready, kubelet, false, "", "");
  }

  private static NodeTurn old(String name) {
    return node(name, "", true, OLD);
  }

  private static NodeTurn turning(NodeTurn node, Phase phase, long minutes) {
    return new NodeTurn(
        node.name(),
        node.uid(),
        node.resourceVersion(),
        node.zone(),
        node.ready(),
        node.kubelet(),
        true,
        new Turn(NEW, phase, NOW.minusSeconds(60 * minutes), true).text(),
        "");
  }

  /** With ready nodes that need nothing, so that there are ten. */
  private UpgradePlan plan(NodeTurn... nodes) {
    List<NodeTurn> all = new ArrayList<>(Arrays.asList(nodes));
    for (int i = all.size(); i < 10; i++) {
      all.add(node("z" + i, "", true, NEW));
    }
    return UpgradePlan.of(
        new UpgradePlan.Input(Optional.ofNullable(spec), NEW, all, drains, away, held, NOW));
  }

  private static List<String> acts(UpgradePlan plan) {
    return plan.acts().stream().map(act -> act.kind() + " " + act.node().name()).sorted().toList();
  }

  @Test
  void aFewOldNodesAreCordonedAtATime() {
    UpgradePlan plan = plan(old("a"), old("b"), old("c"));
    assertThat(acts(plan)).containsExactly("CORDON a", "CORDON b");
    assertThat(plan.acts().getFirst().turn()).isEqualTo(new Turn(NEW, Phase.Draining, NOW, true));
    assertThat(plan.updated()).isEqualTo(7);
    assertThat(plan.outdated()).isEqualTo(3);
    assertThat(plan.hold()).isEmpty();
    assertThat(acts(plan(turning(old("a"), Phase.Draining, 1), old("b"), old("c"))))
        .containsExactly("CORDON b", "DRAIN a");
    assertThat(
            acts(
                plan(
                    turning(old("a"), Phase.Draining, 1),
                    turning(old("b"), Phase.Drained, 1),
                    old("c"))))
        .containsExactly("DRAIN a");
  }

  private static NodeTurn moved(String name) {
    return node(name, "", true, NEW).moving();
  }

  @Test
  void nodesWhoseHostsHaveAnotherPrefixAreDrainedWithinTheShare() {
    UpgradePlan plan = plan(moved("a"), moved("b"), moved("c"));
    assertThat(acts(plan)).containsExactly("CORDON a", "CORDON b");
    assertThat(plan.moving()).isEqualTo(3);
    assertThat(plan.outdated()).isZero();
    assertThat(acts(plan(turning(moved("a"), Phase.Draining, 1).moving(), moved("b"))))
        .containsExactly("CORDON b", "DRAIN a");
    assertThat(acts(plan(turning(moved("a"), Phase.Drained, 1).moving())))
        .as("one that was drained for another version, and is deleted now")
        .containsExactly("DRAIN a");
    assertThat(acts(plan(turning(moved("a"), Phase.Draining, 1))))
        .as("the provider took the other prefix back")
        .containsExactly("RETURN a");
    assertThat(acts(plan(new NodeTurn("a", "u", "7", "", true, NEW, true, "", "").moving())))
        .as("one that a person cordoned: the other Node would take pods")
        .isEmpty();
    held = Optional.of("held");
    assertThat(acts(plan(turning(moved("a"), Phase.Draining, 1).moving(), moved("b")))).isEmpty();
    spec = null;
    assertThat(acts(plan(moved("a")))).as("without spec.upgrade").isEmpty();
  }

  @Test
  void deletedNodesTakeTheRoomUntilTheyComeBackAndHoldTheOthersWhenLate() {
    away = Map.of("a", NOW.minusSeconds(60));
    assertThat(acts(plan(moved("b"), moved("c")))).containsExactly("CORDON b");
    away = Map.of("a", NOW.minusSeconds(60), "z", NOW);
    UpgradePlan full = plan(moved("b"));
    assertThat(acts(full)).isEmpty();
    assertThat(full.moving()).isEqualTo(3);
    assertThat(acts(plan(node("a", "", true, NEW), moved("b"))))
        .as("one is registered again")
        .containsExactly("CORDON b");
    away = Map.of("a", NOW.minus(Duration.ofMinutes(30)));
    UpgradePlan late = plan(moved("b"));
    assertThat(acts(late)).isEmpty();
    assertThat(late.hold().orElseThrow().reason()).isEqualTo(Reason.NodeNotUpgraded);
    assertThat(late.hold().orElseThrow().message())
        .contains(
            "Node a was deleted at",
            "Run the join script",
            "readdress.log",
            "restart the operator");
    assertThat(plan().hold()).as("it is missed also if no other one moves").isPresent();
  }

  @Test
  void nothingIsDoneWhenAllHaveTheVersionOrANewerOne() {
    UpgradePlan plan = plan(node("a", "", true, "1.37.10"));
    assertThat(plan.acts()).isEmpty();
    assertThat(plan.outdated()).isZero();
    assertThat(plan.updated()).isEqualTo(10);
  }

  @Test
  void aNodeThatSomebodyCordonedStaysCordoned() {
    NodeTurn cordoned = new NodeTurn("a", "u", "7", "", true, OLD, true, "", "");
    assertThat(plan(cordoned).acts().getFirst().turn().uncordons()).isFalse();
  }

  @Test
  void aNodeWithTheVersionReturnsWhenItIsReady() {
    NodeTurn back = node("a", "", true, NEW);
    assertThat(acts(plan(turning(back, Phase.Drained, 1)))).containsExactly("RETURN a");
    assertThat(plan(turning(back, Phase.Drained, 99)).hold()).as("late, and back").isEmpty();
    NodeTurn notReady = node("a", "", false, NEW);
    assertThat(acts(plan(turning(notReady, Phase.Drained, 1)))).isEmpty();
    NodeTurn newer = node("a", "", true, "1.37.3");
    assertThat(acts(plan(turning(newer, Phase.Draining, 1)))).containsExactly("RETURN a");
  }

  @Test
  void anotherVersionChangesTheTurnAndNoSpecEndsIt() {
    NodeTurn going =
        new NodeTurn(
            "a",
            "u",
            "7",
            "",
            true,
            OLD,
            true,
            new Turn("1.36.9", Phase.Drained, NOW.minusSeconds(60), true).text(),
            "1.36.9: no such package");
    assertThat(plan(going).acts())
        .containsExactly(
            new UpgradeAct(Kind.RETARGET, going, new Turn(NEW, Phase.Drained, NOW, true)));
    assertThat(plan(going).hold()).as("the failure was another version's").isEmpty();
    spec = null;
    held = Optional.of("held");
    UpgradePlan ended = plan(going, old("b"));
    assertThat(acts(ended)).containsExactly("RETURN a");
  }

  @Test
  void oneZoneAtATime() {
    UpgradePlan plan = plan(node("a", "west", true, OLD), node("b", "east", true, OLD), old("old"));
    assertThat(acts(plan)).as("nodes without a zone first").containsExactly("CORDON old");
    assertThat(
            acts(
                plan(
                    turning(node("a", "west", true, OLD), Phase.Draining, 1),
                    node("b", "east", true, OLD),
                    node("c", "west", true, OLD))))
        .containsExactly("CORDON c", "DRAIN a");
  }

  @Test
  void nodesThatAreNotReadyTakeRoomAndAreNotDrained() {
    UpgradePlan plan = plan(node("a", "", false, OLD), old("b"), old("c"));
    assertThat(acts(plan)).containsExactly("CORDON b");
    assertThat(plan.unreachable()).isEqualTo(1);
    UpgradePlan full = plan(node("a", "", false, OLD), node("b", "", false, NEW), old("c"));
    assertThat(full.acts()).isEmpty();
    assertThat(full.hold().orElseThrow().reason()).isEqualTo(Reason.UpgradeHeld);
    assertThat(full.hold().orElseThrow().message())
        .contains("2 of 10 nodes are not Ready", "maxUnavailablePercent 20 allows 2");
  }

  @Test
  void aBrokenNetworkHoldsEvictionsToo() {
    UpgradePlan plan =
        plan(
            turning(old("a"), Phase.Draining, 1),
            node("b", "", false, OLD),
            node("c", "", false, OLD),
            node("d", "", false, NEW),
            turning(node("e", "", true, NEW), Phase.Drained, 1));
    assertThat(acts(plan)).containsExactly("RETURN e");
    assertThat(plan.hold().orElseThrow().message())
        .contains("Besides the nodes under upgrade, 3 of 10 nodes are not Ready");
  }

  @Test
  void whatIsHeldNeitherBeginsNorEvicts() {
    held = Optional.of("The guard. See it.");
    UpgradePlan plan =
        plan(
            turning(old("a"), Phase.Draining, 1),
            old("b"),
            turning(node("c", "", true, NEW), Phase.Drained, 1));
    assertThat(acts(plan)).as("a node that is back returns").containsExactly("RETURN c");
    assertThat(plan.hold()).contains(new UpgradePlan.Hold(Reason.UpgradeHeld, held.get()));
    held = Optional.of("The guard. See it.");
    assertThat(plan().hold()).as("nothing is to do").isEmpty();
  }

  @Test
  void podsThatDoNotLeaveHoldTheOthers() {
    drains = Map.of("a", new Drain(2, "Pod ns/p stays: budget.", false));
    assertThat(plan(turning(old("a"), Phase.Draining, 59), old("b")).hold()).isEmpty();
    UpgradePlan late = plan(turning(old("a"), Phase.Draining, 60), old("b"));
    assertThat(acts(late)).as("evictions go on").containsExactly("DRAIN a");
    assertThat(late.hold().orElseThrow().reason()).isEqualTo(Reason.DrainBlocked);
    assertThat(late.hold().orElseThrow().message())
        .contains("Node a has been drained since 2026-11-28T11:00:00Z", "Pod ns/p stays: budget.");
    assertThat(late.going().getFirst().obstacle()).isEqualTo("Pod ns/p stays: budget.");
    drains = Map.of("a", new Drain(1, "Pod ns/alone has no controller.", true));
    assertThat(plan(turning(old("a"), Phase.Draining, 1), old("b")).hold().orElseThrow().reason())
        .as("nobody but a person helps")
        .isEqualTo(Reason.DrainBlocked);
  }

  @Test
  void aHostThatBringsNothingHoldsTheOthers() {
    assertThat(plan(turning(old("a"), Phase.Drained, 29), old("b")).hold()).isEmpty();
    UpgradePlan late = plan(turning(old("a"), Phase.Drained, 30), old("b"));
    assertThat(late.acts()).isEmpty();
    assertThat(late.hold().orElseThrow().reason()).isEqualTo(Reason.NodeNotUpgraded);
    assertThat(late.hold().orElseThrow().message())
        .contains(
            "Node a has been drained since",
            "is Ready with kubelet 1.36.4; the pool needs Ready with 1.37.2");
    NodeTurn drained = turning(old("a"), Phase.Drained, 1);
    NodeTurn failed =
        new NodeTurn(
            "a", "u", "7", "", true, OLD, true, drained.upgrade(), "1.37.2: exit code 3 \u001b[1m");
    assertThat(plan(failed, old("b")).hold().orElseThrow().message())
        .contains("its host failed to install the new kubelet: 1.37.2: exit code 3 ?[1m")
        .contains("remove the annotation exaplane.io/upgrade-failed");
  }

  @Test
  void aNodeThatSomebodyUncordonedIsCordonedAgainWhilePodsLeave() {
    NodeTurn going = turning(old("a"), Phase.Draining, 1);
    NodeTurn open = new NodeTurn("a", "u", "7", "", true, OLD, false, going.upgrade(), "");
    assertThat(acts(plan(open))).containsExactly("CORDON a");
    assertThat(plan(open).acts().getFirst().turn().since()).isEqualTo(NOW.minusSeconds(60));
  }

  @Test
  void atLeastOneNodeAndAtMostAThousand() {
    spec = new NodeUpgradeSpec(1, null, null).filled();
    assertThat(acts(plan(old("a"), old("b")))).containsExactly("CORDON a");
    List<NodeTurn> many = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      many.add(old("n" + i));
    }
    UpgradePlan plan =
        UpgradePlan.of(
            new UpgradePlan.Input(
                Optional.of(new NodeUpgradeSpec(50, null, null).filled()),
                NEW,
                many,
                drains,
                held,
                NOW));
    assertThat(plan.acts()).hasSize(UpgradePlan.MOST_AT_ONCE);
  }

  /** A kubelet may write annotations of its own Node. */
  @Test
  void aTurnThatNeverWouldBeLateHoldsNobody() {
    for (String since : List.of("+1000000000-12-31T23:59:59.999999999Z", "2999-01-01T00:00:00Z")) {
      String text = NEW + ";Draining;" + since + ";Keep";
      NodeTurn liar = new NodeTurn("a", "u", "7", "", true, OLD, false, text, "");
      assertThat(acts(plan(liar, old("b")))).as(since).containsExactly("CORDON a", "CORDON b");
    }
    String first = NEW + ";Draining;0000-01-01T00:00:00Z;Keep";
    UpgradePlan plan = plan(new NodeTurn("a", "u", "7", "", true, OLD, true, first, ""));
    assertThat(plan.hold().orElseThrow().reason()).isEqualTo(Reason.DrainBlocked);
  }
}
