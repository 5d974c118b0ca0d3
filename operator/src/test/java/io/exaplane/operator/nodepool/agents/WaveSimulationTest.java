// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to nodes, agents, gate and operator: no more than the share restarts within 60
 * seconds, nothing restarts while the gate is closed, and in the end all are up to date. The naive
 * model counts every pair of restarts.
 */
class WaveSimulationTest {
  private static final int STEPS = 1_500;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void theRulesHoldWhateverHappens(long seed) {
    Random random = new Random(seed);
    int nodes = 10 + random.nextInt(90);
    Waves waves = Waves.of(nodes, "a", "b");
    waves.percent = 1 + random.nextInt(40);
    int share = Math.max(1, nodes * waves.percent / 100);
    int revisions = 0;
    for (int i = 0; i < STEPS; i++) {
      int before = waves.restarts.size();
      boolean isOpen = waves.gate == WaveGate.State.OPEN;
      waves.go(Duration.ofSeconds(1));
      assertThat(isOpen || waves.restarts.size() == before).as("seed %d", seed).isTrue();
      switch (random.nextInt(40)) {
        case 0 -> waves.revision = "r" + ++revisions;
        case 1, 2 -> waves.restart();
        case 3 -> waves.gate = random.nextBoolean() ? WaveGate.State.CLOSED : WaveGate.State.UNREAD;
        case 4, 5 -> waves.gate = WaveGate.State.OPEN;
        case 6 -> waves.ready(any(waves, random), false);
        case 7, 8 -> waves.nodes.keySet().forEach(name -> waves.ready(name, true));
        case 9 -> waves.known = AgentSight.State.WAITING;
        case 10, 11 -> waves.known = AgentSight.State.KNOWN;
        case 12 -> waves.now = waves.now.plusSeconds(random.nextInt(90));
        default -> {}
      }
    }
    assertThat(naiveMost(waves.restarts)).as("seed %d", seed).isLessThanOrEqualTo(share);
    waves.gate = WaveGate.State.OPEN;
    waves.known = AgentSight.State.KNOWN;
    waves.nodes.keySet().forEach(name -> waves.ready(name, true));
    waves.go(Duration.ofMinutes(15 + 2L * nodes / share));
    assertThat(waves.old()).as("seed %d", seed).isZero();
    assertThat(waves.restarts).as("seed %d", seed).isNotEmpty();
    assertThat(naiveMost(waves.restarts)).as("seed %d", seed).isLessThanOrEqualTo(share);
  }

  private static String any(Waves waves, Random random) {
    List<String> names = List.copyOf(waves.nodes.keySet());
    return names.get(random.nextInt(names.size()));
  }

  /** For each restart, those less than 60 seconds after it. */
  private static long naiveMost(List<Waves.Restart> restarts) {
    return restarts.stream()
        .mapToLong(one -> restarts.stream().filter(other -> isWithin(one.at(), other.at())).count())
        .max()
        .orElse(0);
  }

  private static boolean isWithin(Instant from, Instant at) {
    return !at.isBefore(from) && at.isBefore(from.plusSeconds(60));
  }
}
