// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replay one history by {@code -Dapply.seed=N}; more of them by {@code -Dapply.histories=N}. */
class SimulationTest {
  private static final int STEPS = 300;

  @Test
  void theClusterIsAsTheManifestsSayAndNothingElseWasDone() {
    Long only = Long.getLong("apply.seed");
    long from = only == null ? 1 : only;
    long to = only == null ? Long.getLong("apply.histories", 1_000) : only;
    List<String> bad = new ArrayList<>();
    long applies = 0;
    long needless = 0;
    for (long seed = from; seed <= to; seed++) {
      Simulation one = new Simulation(seed, Simulation.Planted.NOTHING);
      one.run(STEPS);
      applies += one.server.applies;
      needless += one.server.needless;
      if (!one.server.mistakes.isEmpty() && bad.size() < 8) {
        bad.add("seed " + seed + ": " + one.server.mistakes);
      }
    }
    System.out.printf(
        "histories %d: %d applies, %d of them after a cut-off one changed nothing%n",
        to - from + 1, applies, needless);
    assertThat(bad).isEmpty();
    assertThat(applies).isPositive();
  }

  @Test
  void theSameHoldsWhenSourcesAreLetGoAndWantedAgain() {
    Long only = Long.getLong("apply.seed");
    List<String> bad = new ArrayList<>();
    for (long seed = only == null ? 1 : only; seed <= (only == null ? 200 : only); seed++) {
      Simulation one = new Simulation(seed, Simulation.Planted.NOTHING);
      one.pauses = true;
      one.run(STEPS);
      if (!one.server.mistakes.isEmpty() && bad.size() < 8) {
        bad.add("seed " + seed + ": " + one.server.mistakes);
      }
    }
    assertThat(bad).isEmpty();
  }

  @Test
  void onePassSufficesAndTheNextProcessAppliesNothing() {
    for (long seed = 1; seed <= 100; seed++) {
      Simulation one = new Simulation(seed, Simulation.Planted.NOTHING, false);
      one.run(0);
      long applies = one.server.applies;
      one.another();
      assertThat(one.server.mistakes).as("seed %d", seed).isEmpty();
      assertThat(one.server.uncertain).as("not saved, seed %d", seed).isEmpty();
      assertThat(one.server.applies).as("seed %d", seed).isPositive().isEqualTo(applies);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
  void findsMistakesThatWerePlanted(Simulation.Planted planted) {
    for (long seed = 1; seed <= 300; seed++) {
      Simulation one = new Simulation(seed, planted);
      one.run(STEPS);
      if (!one.server.mistakes.isEmpty()) {
        System.out.printf("%s: found by seed %d%n", planted, seed);
        return;
      }
    }
    throw new AssertionError(planted + ": no history of 300 found it");
  }
}
