// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Kind moves between two stores in seeded histories, and faults that must be found in them. */
class MoveSimulationTest {
  private static final int FAST = 80;
  private static final long MOST_TO_FIND = 300;

  @Test
  void oneStoreServesWhatWasWritten() {
    long[] seeds = Seeds.of(FAST).toArray();
    int moved = 0;
    int rolledBack = 0;
    int crashes = 0;
    int pumpsEnded = 0;
    int listedAgain = 0;
    for (long seed : seeds) {
      MoveSimulation simulation = new MoveSimulation(seed, null);
      assertThat(simulation.run()).as("seed %d", seed).isNull();
      moved += simulation.moved();
      rolledBack += simulation.rolledBack();
      crashes += simulation.crashes();
      pumpsEnded += simulation.pumpsEnded();
      listedAgain += simulation.listedAgain();
    }
    System.out.printf(
        "%d histories from seed %d on: moved %d, rolled back %d, %d crashes, %d pumps ended, listed again %d%n",
        seeds.length, seeds[0], moved, rolledBack, crashes, pumpsEnded, listedAgain);
    if (seeds.length > 1) {
      assertThat(moved).as("moved").isGreaterThanOrEqualTo(seeds.length);
      assertThat(crashes).as("crashes").isGreaterThanOrEqualTo(seeds.length);
      assertThat(rolledBack).as("rolled back").isGreaterThanOrEqualTo(seeds.length / 3);
      assertThat(pumpsEnded).as("pumps ended").isGreaterThanOrEqualTo(seeds.length);
      assertThat(listedAgain).as("listed again").isGreaterThanOrEqualTo(seeds.length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFound(MoveFault fault) {
    String finding = null;
    long seed = 0;
    while (finding == null && seed < MOST_TO_FIND) {
      finding = new MoveSimulation(seed++, fault).run();
    }
    System.out.printf("%s: found in history %d: %s%n", fault, seed, finding);
    assertThat(finding).as("what shows %s", fault).isNotNull();
  }
}
