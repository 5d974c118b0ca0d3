// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneRolloutSpec;
import io.exaplane.api.v1alpha1.OnStall;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.SettleSpec;
import io.exaplane.operator.controlplane.rollout.ComponentView.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a spec and an annotation say, and which gates that closes. */
class RolloutPolicyTest {
  private static final Instant NOW = Instant.EPOCH.plusSeconds(1_000);
  private static final RolloutPolicy POLICY = RolloutPolicy.of(null, null);

  @Test
  void everyFieldCountsAndHasADefault() {
    assertThat(POLICY)
        .isEqualTo(
            new RolloutPolicy(
                1,
                0,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                70,
                10,
                Duration.ofMinutes(30),
                false,
                null,
                Set.of(),
                List.of(),
                false));
    RolloutPolicy asked =
        RolloutPolicy.of(
            new ControlPlaneRolloutSpec(
                null, 3, 2, 60, new SettleSpec("250ms", 5, 7), "2h", OnStall.Rollback),
            null);
    assertThat(asked.surge(16)).isEqualTo(3);
    assertThat(asked.unavailable(16)).isEqualTo(2);
    assertThat(asked.minReady()).isEqualTo(Duration.ofMinutes(1));
    assertThat(asked.requestP99()).isEqualTo(Duration.ofMillis(250));
    assertThat(asked.inflightPercent()).isEqualTo(5);
    assertThat(asked.relistsPerSecond()).isEqualTo(7);
    assertThat(asked.rollsBack()).isTrue();
    assertThat(asked.progressDeadline()).isEqualTo(Duration.ofHours(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none | 0 | 0",
        "'' | 0 | 0",
        "' , ' | 0 | 0",
        "MinReady | 1 | 0",
        "'MinReady, Relists,MinReady' | 2 | 0",
        "'minready, Relist' | 0 | 2",
        "'StoresServe,OneLayer,MinReady,MetricsRead,WatchCaches,RequestP99,RequestsInFlight,Relists,ProgressDeadline' | 9 | 0",
      })
  void anOverrideNamesGates(String annotation, int open, int unknown) {
    RolloutPolicy policy = RolloutPolicy.of(null, annotation);
    assertThat(policy.open()).hasSize(open);
    assertThat(policy.unknown()).hasSize(unknown);
    assertThat(policy.override() == null).isEqualTo(open + unknown == 0);
  }

  /** The figure at the limit is no more than it; the next one is. */
  @ParameterizedTest
  @CsvSource({
    "9, 9, 1000, 70, 10, ",
    "9, 8, 1000, 70, 10, WatchCaches",
    "9, 9, 1001, 70, 10, RequestP99",
    "9, 9, 1000, 71, 10, RequestsInFlight",
    "9, 9, 1000, 70, 11, Relists",
  })
  void eachFigureClosesItsGate(
      int caches, int cachesReady, long p99, int inflight, int relists, RolloutGate gate) {
    ServerLoad load = new ServerLoad(caches, cachesReady, p99, inflight, relists);
    assertThat(closed(pod(100, load))).isEqualTo(gate == null ? List.of() : List.of(gate));
    assertThat(SettleGates.closed(POLICY, List.of(pod(100, load)), false, NOW))
        .as("others have no such figures")
        .isEmpty();
  }

  @Test
  void aPodIsReadyForAWhileAndItsMetricsAreReadOrGivenUp() {
    PodView unready = new PodView("p", Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(closed(unready)).containsExactly(RolloutGate.MinReady);
    assertThat(closed(pod(9, null))).containsExactly(RolloutGate.MinReady, RolloutGate.MetricsRead);
    assertThat(closed(pod(10, null))).containsExactly(RolloutGate.MetricsRead);
    assertThat(closed(pod(59, null))).containsExactly(RolloutGate.MetricsRead);
    assertThat(closed(pod(60, null))).isEmpty();
    Figure figure = SettleGates.closed(POLICY, List.of(pod(9, null)), true, NOW).getFirst();
    assertThat(figure.since()).contains(NOW.minusSeconds(9));
    assertThat(figure.end()).contains(NOW.plusSeconds(1));
  }

  private static PodView pod(int readySeconds, ServerLoad load) {
    return new PodView(
        "p",
        Optional.of(NOW.minusSeconds(readySeconds)),
        Optional.ofNullable(load),
        Optional.empty());
  }

  private static List<RolloutGate> closed(PodView pod) {
    return SettleGates.closed(POLICY, List.of(pod), true, NOW).stream().map(Figure::gate).toList();
  }
}
