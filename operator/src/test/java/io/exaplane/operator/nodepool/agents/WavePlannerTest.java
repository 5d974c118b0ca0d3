// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.agents.WaveReport.Incident;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which waves agents restart, and what holds them. */
class WavePlannerTest {
  private static final Duration LONG = Duration.ofMinutes(30);

  private static Reason held(Waves waves) {
    return waves.report.incident().map(Incident::reason).orElse(null);
  }

  @Test
  void nothingIsDoneWhileAllIsUpToDate() {
    Waves waves = Waves.of(100).go(Duration.ofMinutes(3));
    assertThat(waves.restarts).isEmpty();
    assertThat(waves.state.ledger().text()).isEqualTo("{\"resumed\":\"\"}");
  }

  @ParameterizedTest
  @CsvSource({"100, 10, 10", "100, 100, 100", "5, 10, 1", "99, 3, 2", "1, 1, 1", "250, 10, 25"})
  void neverMoreThanTheShareAMinute(int nodes, int percent, int share) {
    Waves waves = Waves.of(nodes);
    waves.percent = percent;
    waves.revision = "b";
    waves.go(Duration.ofMinutes(2L + 2L * nodes / share));
    assertThat(waves.old()).isZero();
    assertThat(waves.restarts).hasSize(nodes);
    assertThat(waves.most()).isEqualTo(share);
  }

  @Test
  void zonesFollowEachOther() {
    Waves waves = Waves.of(60, "a", "b", "c");
    waves.revision = "b";
    waves.go(LONG);
    assertThat(waves.old()).isZero();
    List<String> zones = waves.restarts.stream().map(Waves.Restart::zone).toList();
    assertThat(zones).isSorted();
    assertThat(zones.stream().distinct()).hasSize(3);
  }

  @Test
  void aClosedGateHoldsAndCalmLooksResume() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.go(Duration.ofSeconds(90));
    int before = waves.restarts.size();
    assertThat(before).isPositive();
    waves.gate = WaveGate.State.CLOSED;
    waves.go(Duration.ofMinutes(10));
    assertThat(waves.restarts).hasSize(before);
    assertThat(held(waves)).isEqualTo(Reason.GateClosed);
    assertThat(waves.report.incident().get().text()).isEqualTo("p99 is 3000 ms");
    waves.gate = WaveGate.State.OPEN;
    waves.go(Duration.ofSeconds(5));
    assertThat(held(waves)).as("not calm for long enough").isEqualTo(Reason.GateClosed);
    waves.go(LONG);
    assertThat(held(waves)).isNull();
    assertThat(waves.old()).isZero();
  }

  @Test
  void aHoldWaitsForAPersonAcrossARestartOfTheOperator() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.mode = NodeAgentsResume.Manual;
    waves.gate = WaveGate.State.CLOSED;
    waves.go(Duration.ofMinutes(5));
    assertThat(held(waves)).isEqualTo(Reason.GateClosed);
    waves.restart();
    waves.gate = WaveGate.State.OPEN;
    waves.known = AgentSight.State.WAITING;
    waves.go(Duration.ofSeconds(5));
    assertThat(held(waves)).as("no pod is listed yet").isEqualTo(Reason.GateClosed);
    waves.known = AgentSight.State.KNOWN;
    waves.go(LONG);
    assertThat(held(waves)).isEqualTo(Reason.GateClosed);
    assertThat(waves.restarts).isEmpty();
    waves.resume = waves.report.incident().get().id();
    waves.go(LONG);
    assertThat(waves.old()).isZero();
  }

  @Test
  void aGateThatNobodyCanReadIsClosed() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.gate = WaveGate.State.UNREAD;
    waves.go(Duration.ofSeconds(20));
    assertThat(held(waves)).as("the first looks take a moment").isNull();
    assertThat(waves.restarts).isEmpty();
    waves.go(Duration.ofMinutes(10));
    assertThat(held(waves)).isEqualTo(Reason.GateClosed);
    assertThat(waves.restarts).isEmpty();
  }

  @Test
  void aWaveThatIsNotReadyStopsTheNextAndHealsByItself() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.sick = node -> true;
    waves.go(LONG);
    assertThat(waves.restarts).as("one wave").hasSize(10);
    assertThat(held(waves)).isEqualTo(Reason.WaveNotReady);
    assertThat(waves.report.incident().get().text())
        .contains("10 of 10 nodes of the wave have no Ready pod of kube-system/cilium after 300 s");
    waves.sick = node -> false;
    waves.pods.replaceAll(
        (_, pod) ->
            new AgentPod(pod.name(), pod.uid(), pod.node(), pod.revision(), false, waves.now));
    waves.go(LONG);
    assertThat(held(waves)).isNull();
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(10);
  }

  @Test
  void aPersonResumesPastWhatIsNotReady() {
    Waves waves = Waves.of(40);
    waves.revision = "b";
    waves.mode = NodeAgentsResume.Manual;
    waves.sick = node -> waves.restarts.size() <= 4;
    waves.go(Duration.ofMinutes(10));
    assertThat(held(waves)).isEqualTo(Reason.WaveNotReady);
    String id = waves.report.incident().get().id();
    waves.resume = "2026-01-01T00:00:00Z";
    waves.go(Duration.ofMinutes(3));
    assertThat(held(waves)).as("another incident's time").isEqualTo(Reason.WaveNotReady);
    waves.resume = "now";
    waves.go(Duration.ofMinutes(3));
    assertThat(held(waves)).as("no time").isEqualTo(Reason.WaveNotReady);
    waves.resume = id;
    waves.go(LONG);
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(4);
  }

  @Test
  void oneWordOfAPersonEndsOneIncident() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.mode = NodeAgentsResume.Manual;
    waves.gate = WaveGate.State.CLOSED;
    waves.go(Duration.ofSeconds(10));
    waves.resume = "2027-01-01T00:00:00Z";
    waves.go(Duration.ofSeconds(10));
    assertThat(held(waves)).as("the gate is still closed").isEqualTo(Reason.GateClosed);
    waves.gate = WaveGate.State.OPEN;
    waves.go(LONG);
    assertThat(held(waves)).as("the word was for the first one").isEqualTo(Reason.GateClosed);
    assertThat(waves.restarts).isEmpty();
    waves.resume = waves.report.incident().get().id();
    waves.go(LONG);
    assertThat(waves.old()).isZero();
  }

  @Test
  void anotherRevisionEndsTheIncidentOfAWave() {
    Waves waves = Waves.of(50);
    waves.revision = "broken";
    waves.sick = node -> true;
    waves.go(Duration.ofMinutes(10));
    assertThat(held(waves)).isEqualTo(Reason.WaveNotReady);
    waves.sick = node -> false;
    waves.revision = "mended";
    waves.go(LONG);
    assertThat(held(waves)).isNull();
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(5);
    assertThat(waves.restarts.subList(5, 10).stream().map(Waves.Restart::node))
        .as("those that serve nobody come first")
        .containsExactlyInAnyOrderElementsOf(
            waves.restarts.subList(0, 5).stream().map(Waves.Restart::node).toList());
  }

  @Test
  void theShareSurvivesTheOperator() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    while (waves.old() > 0) {
      waves.go(Duration.ofSeconds(7));
      waves.restart();
    }
    assertThat(waves.restarts).hasSize(100);
    assertThat(waves.most()).isEqualTo(10);
  }

  @Test
  void anOperatorThatDiesBeforeItDeletesCountsTooManyAndGoesOn() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.step();
    assertThat(waves.state.ledger().wave()).isPresent();
    assertThat(waves.restarts).isEmpty();
    waves.restart();
    waves.now = waves.now.plus(Duration.ofHours(1));
    waves.go(LONG);
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(10);
  }

  @Test
  void whoeverFindsNoLedgerWaitsAMinute() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.state = WaveState.begin(WaveLedger.unknown(waves.now), waves.now);
    waves.go(Duration.ofSeconds(60));
    assertThat(waves.restarts).isEmpty();
    waves.go(Duration.ofSeconds(10));
    assertThat(waves.restarts).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource({"deleted", "recreated", "unlisted"})
  void anAgentThatGoesInMidWaveEndsItAndItsRestartsCount(String how) {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.go(Duration.ofSeconds(2));
    assertThat(waves.restarts).hasSize(10);
    switch (how) {
      case "deleted" -> waves.known = AgentSight.State.MISSING;
      case "recreated" -> waves.uid = "uid-other";
      default -> waves.isListed = false;
    }
    waves.go(Duration.ofSeconds(5));
    if (how.equals("recreated")) {
      assertThat(waves.restarts).as("the share is used").hasSize(10);
    }
    assertThat(waves.state.ledger().spent()).hasSize(1);
    assertThat(waves.report.wave().filter(one -> !how.equals("recreated"))).isEmpty();
    waves.known = AgentSight.State.KNOWN;
    waves.isListed = true;
    waves.go(LONG);
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(10);
  }

  @Test
  void whatNobodyKnowsOfAnAgentHoldsItsWave() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.go(Duration.ofSeconds(2));
    waves.known = AgentSight.State.WAITING;
    waves.go(Duration.ofMinutes(10));
    assertThat(waves.restarts).hasSize(10);
  }

  @Test
  void aNodeThatIsNotReadyIsLeftToLater() {
    Waves waves = Waves.of(20);
    waves.ready("n00003", false);
    waves.revision = "b";
    waves.go(LONG);
    assertThat(waves.old()).isOne();
    assertThat(waves.report.agents().getFirst().unreachable()).isOne();
    assertThat(held(waves)).isNull();
    waves.ready("n00003", true);
    waves.go(LONG);
    assertThat(waves.old()).isZero();
  }

  @Test
  void anAgentThatTakesItsNodeDownHolds() {
    Waves waves = Waves.of(20);
    waves.revision = "b";
    waves.go(Duration.ofSeconds(2));
    waves.restarts.forEach(each -> waves.ready(each.node(), false));
    waves.go(LONG);
    assertThat(waves.restarts).hasSize(2);
    assertThat(held(waves)).isEqualTo(Reason.WaveNotReady);
  }

  @Test
  void fewNodesOfALargeWaveMayFail() {
    Waves waves = Waves.of(200);
    waves.percent = 50;
    waves.revision = "b";
    waves.sick = node -> node.equals("n00005");
    waves.gateSpec = new NodeAgentsGateSpec(1000, 1, 99, 0, 30, 1, 6);
    waves.go(Duration.ofMinutes(10));
    assertThat(held(waves)).isNull();
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(100);
  }

  @Test
  void aNodeThatIsGoneIsWaitedForNoLonger() {
    Waves waves = Waves.of(20);
    waves.revision = "b";
    waves.sick = node -> true;
    waves.go(Duration.ofSeconds(5));
    List.copyOf(waves.restarts)
        .forEach(
            each -> {
              waves.nodes.remove(each.node());
              waves.pods.remove(each.node());
            });
    waves.sick = node -> false;
    waves.go(LONG);
    assertThat(held(waves)).isNull();
    assertThat(waves.old()).isZero();
  }

  @Test
  void nobodyIsLateForAnOperatorThatWasAway() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.mode = NodeAgentsResume.Manual;
    waves.go(Duration.ofSeconds(3));
    assertThat(waves.restarts).hasSize(10);
    waves.now = waves.now.plus(Duration.ofHours(1));
    waves.restart();
    waves.pods.replaceAll(
        (_, pod) ->
            new AgentPod(pod.name(), pod.uid(), pod.node(), pod.revision(), false, waves.now));
    waves.go(LONG);
    assertThat(held(waves)).isNull();
    assertThat(waves.old()).isZero();
  }

  @Test
  void aLargeWaveIsSpread() {
    Waves waves = Waves.of(10_000);
    waves.percent = 50;
    waves.revision = "b";
    waves.go(Duration.ofSeconds(40));
    assertThat(waves.restarts).hasSize(5_000);
    long firstSecond =
        waves.restarts.stream()
            .filter(each -> each.at().equals(waves.restarts.getFirst().at()))
            .count();
    assertThat(firstSecond).isLessThan(400);
    assertThat(waves.state.ledger().text().length()).isLessThan(100_000);
  }

  @Test
  void aSmallerShareCountsAtOnce() {
    Waves waves = Waves.of(100);
    waves.revision = "b";
    waves.step();
    waves.percent = 2;
    waves.restart();
    waves.now = waves.now.plus(Duration.ofMinutes(5));
    waves.go(Duration.ofHours(3));
    assertThat(waves.old()).isZero();
    assertThat(waves.most()).isEqualTo(2);
  }

  @Test
  void withoutNodesThereIsNothingToDo() {
    Waves waves = Waves.of(0);
    waves.revision = "b";
    waves.go(Duration.ofMinutes(2));
    assertThat(waves.report.nodes()).isZero();
    assertThat(waves.report.incident()).isEqualTo(Optional.empty());
  }
}
