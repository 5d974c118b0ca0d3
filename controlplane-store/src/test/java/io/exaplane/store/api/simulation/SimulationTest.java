// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole stores in seeded histories, and faults that must be found in them. */
class SimulationTest {
  private static final int FAST = 300;
  private static final long MOST_TO_FIND = 2_000;

  @Test
  void couldBeEtcd() {
    long[] seeds = Seeds.of(FAST).toArray();
    int crashed = 0;
    for (long seed : seeds) {
      Simulation simulation = new Simulation(seed, null);
      assertThat(simulation.run()).as("seed %d", seed).isNull();
      crashed += simulation.crashed() ? 1 : 0;
    }
    System.out.printf("%d histories, %d with a crash%n", seeds.length, crashed);
    assertThat(seeds.length == 1 || crashed * 2 > seeds.length).as("%d crashed", crashed).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFound(Fault fault) {
    String finding = null;
    long seed = 0;
    while (finding == null && seed < MOST_TO_FIND) {
      finding = new Simulation(seed++, fault).run();
    }
    System.out.printf("%s: found in history %d: %s%n", fault, seed, finding);
    assertThat(finding).as("what shows %s", fault).isNotNull();
  }
}
