// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole stores in seeded histories, and faults that must be found in them. */
class SimulationTest {
  private static final long FAST = 300;
  private static final long MOST_TO_FIND = 2_000;

  /** {@code -Dseed=N} repeats one, {@code -Dhistories=N} runs more, {@code -Dfirst=N} others. */
  @Test
  void couldBeEtcd() {
    Long only = Long.getLong("seed");
    long first = only != null ? only : Long.getLong("first", 0);
    long histories = only != null ? 1 : Long.getLong("histories", FAST);
    int crashed = 0;
    for (long seed = first; seed < first + histories; seed++) {
      Simulation simulation = new Simulation(seed, null);
      assertThat(simulation.run()).as("seed %d", seed).isNull();
      crashed += simulation.crashed() ? 1 : 0;
    }
    assertThat(only != null || crashed * 2 > histories).as("%d crashed", crashed).isTrue();
    System.out.printf("%d histories, %d with a crash%n", histories, crashed);
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
