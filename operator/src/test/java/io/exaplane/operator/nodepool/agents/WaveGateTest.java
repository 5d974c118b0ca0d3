// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.exaplane.operator.nodepool.agents.WaveGate.State;
import io.exaplane.operator.nodepool.agents.WaveGate.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the gate is open; what cannot be read is closed. */
class WaveGateTest {
  private static final Instant NOW = Waves.START;

  private static Verdict judge(Optional<GateReading> reading, List<NodeSight> nodes, String by) {
    return WaveGate.judge(NodeAgentsGateSpec.of(null), reading, nodes, by, NOW);
  }

  private static Optional<GateReading> reading(long p99, long throttled, OptionalInt leases) {
    return Optional.of(new GateReading(NOW, "", p99, throttled, leases));
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1, 99, OPEN, ''",
    "1001, 0, 100, CLOSED, the 99th percentile of requests is 1001 ms (gate.maxRequestP99Millis 1000)",
    "0, 2, 100, CLOSED, 2 answers a second have status 429 (gate.maxThrottledPerSecond 1)",
    "0, 0, 98, CLOSED, 98 % of the Leases are renewed in time (gate.minLeasesOnTimePercent 99)",
    "1001, 2, 100, CLOSED, 'ms (gate.maxRequestP99Millis 1000), and 2 answers'"
  })
  void eachLimitCloses(long p99, long throttled, int leases, State state, String said) {
    Verdict verdict = judge(reading(p99, throttled, OptionalInt.of(leases)), List.of(), "");
    assertThat(verdict.state()).isEqualTo(state);
    assertThat(verdict.text()).contains(said);
  }

  @Test
  void whatCannotBeReadIsClosed() {
    assertThat(judge(Optional.empty(), List.of(), "").state()).isEqualTo(State.UNREAD);
    Verdict unread = judge(Optional.of(GateReading.unread(NOW, "no")), List.of(), "");
    assertThat(unread.state()).isEqualTo(State.UNREAD);
    assertThat(unread.isOpen()).isFalse();
    GateReading old = new GateReading(NOW.minusSeconds(20), "", 0, 0, OptionalInt.of(100));
    assertThat(judge(Optional.of(old), List.of(), "").state()).isEqualTo(State.UNREAD);
    assertThat(judge(reading(0, 0, OptionalInt.of(100)), List.of(), "the guard").text())
        .isEqualTo("the guard");
  }

  @Test
  void withoutLeasesNodesCountThatWereReadyAShortTimeAgo() {
    List<NodeSight> nodes =
        IntStream.range(0, 100)
            .mapToObj(
                i -> new NodeSight("n" + i, "", "", i >= 4, NOW.minusSeconds(i < 2 ? 601 : 60)))
            .toList();
    Verdict verdict = judge(reading(0, 0, OptionalInt.empty()), nodes, "");
    assertThat(verdict.text())
        .contains("97 % of the nodes of the last 10 minutes are Ready (gate.minLeases");
    assertThat(judge(reading(0, 0, OptionalInt.empty()), nodes.subList(4, 100), "").isOpen())
        .isTrue();
    assertThat(judge(reading(0, 0, OptionalInt.empty()), List.of(), "").isOpen()).isTrue();
  }

  @Test
  void theShareOfLeasesLeavesDeadNodesOut() {
    assertThat(GateReading.onTime(LeaseLook.counted(97, 3, 50))).hasValue(97);
    assertThat(GateReading.onTime(LeaseLook.counted(0, 0, 0))).hasValue(100);
    assertThat(GateReading.onTime(LeaseLook.NOT_COUNTED)).isEmpty();
  }
}
