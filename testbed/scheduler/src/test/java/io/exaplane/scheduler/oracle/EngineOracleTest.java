// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.scenario.ScenarioMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What the engine says of made-up clusters is what the real kube-scheduler framework says. */
class EngineOracleTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 1000);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
  private static final Version VERSION =
      Version.of(System.getProperty("kubernetes", Version.newest().toString()));
  private static final int SHOWN = 10;

  @Test
  void decidesAsKubeScheduler() throws InterruptedException {
    System.out.println("seeds from " + FIRST_SEED + " on; -Dseed=N -Dscenarios=1 runs one again");
    List<Scenario> scenarios = new ArrayList<>();
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      var objects = new ScenarioMaker(seed).objects();
      scenarios.add(
          new Scenario("seed " + seed, objects, new EngineRun(objects, VERSION, seed).steps()));
    }
    Coverage coverage = new Coverage();
    List<String> differences = new ArrayList<>();
    try (Oracle oracle = new Oracle()) {
      Thread asking = oracle.ask(scenarios);
      for (Scenario scenario : scenarios) {
        for (Scenario.Step step : scenario.steps()) {
          Answer theirs = oracle.next();
          assertThat(theirs)
              .as("the oracle's answer to %s of %s", step.answer().pod(), scenario.id())
              .isNotNull();
          coverage.add(theirs);
          String difference = step.answer().differenceTo(theirs);
          if (!difference.isEmpty()) {
            differences.add(scenario.id() + ", pod " + step.answer().pod() + "\n" + difference);
          }
        }
      }
      asking.join();
    }
    System.out.println(coverage);
    if (!differences.isEmpty()) {
      System.out.println(
          "the first scenario that differs: "
              + new com.fasterxml.jackson.databind.ObjectMapper()
                  .valueToTree(
                      scenarios.stream()
                          .filter(x -> differences.getFirst().startsWith(x.id() + ","))
                          .findFirst()
                          .orElseThrow()
                          .forOracle()));
    }
    assertThat(differences.stream().limit(SHOWN).toList())
        .as("%d differences", differences.size())
        .isEmpty();
    if (SCENARIOS >= 1000) {
      assertThat(coverage.missing()).as("what no scenario brought about").isEmpty();
    }
  }
}
