// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.plugin.ProfileReader;
import io.exaplane.scheduler.scenario.GroupMaker;
import io.exaplane.scheduler.scenario.ScenarioMaker;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine says of made-up clusters is what the real kube-scheduler framework says. */
class EngineOracleTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 1000);
  private static final int SCENARIOS_OF_CONFIGURATION = Math.max(1, SCENARIOS / 10);
  private static final int SCENARIOS_OF_GANGS = Math.max(1, SCENARIOS / 2);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
  private static final Version VERSION =
      Version.of(System.getProperty("kubernetes", Version.newest().toString()));
  private static final int SHOWN = 10;

  @Test
  void decidesAsKubeScheduler() throws InterruptedException {
    Coverage coverage = new Coverage();
    compare(Profile.defaults(VERSION), null, SCENARIOS, coverage);
    System.out.println(coverage);
    if (SCENARIOS >= 1000) {
      assertThat(coverage.missing(VERSION)).as("what no scenario brought about").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"most-allocated", "ratio", "spread", "few"})
  void decidesAsConfigured(String name) throws Exception {
    compare(profile(name), file(name), SCENARIOS_OF_CONFIGURATION, new Coverage());
  }

  @Test
  void decidesAboutGangs() throws Exception {
    assumeTrue(VERSION.atLeast(Version.V1_36), "older versions have no groups of pods");
    Coverage coverage = new Coverage();
    compare(profile("gangs"), file("gangs"), SCENARIOS_OF_GANGS, coverage);
    System.out.println(coverage);
    if (SCENARIOS >= 1000) {
      assertThat(coverage.missingOfGangs()).as("what no scenario brought about").isEmpty();
    }
  }

  static Profile profile(String name) throws Exception {
    Object configuration = new YAMLMapper().readValue(file(name).toFile(), Map.class);
    return new ProfileReader(VERSION).read(Fields.of(configuration, "")).getFirst();
  }

  private static Path file(String name) throws URISyntaxException {
    return Path.of(EngineOracleTest.class.getResource("/configurations/" + name + ".yaml").toURI());
  }

  private static void compare(Profile profile, Path configuration, int count, Coverage coverage)
      throws InterruptedException {
    System.out.println("seeds from " + FIRST_SEED + " on; -Dseed=N -Dscenarios=1 runs one again");
    List<Scenario> scenarios = new ArrayList<>();
    for (long seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
      List<Map<String, Object>> objects = objects(seed, profile.schedulesGangs());
      List<Scenario.Step> steps = new EngineRun(objects, profile, seed).steps();
      scenarios.add(new Scenario("seed " + seed, objects, steps));
    }
    List<String> differences = new ArrayList<>();
    int crashes = 0;
    try (Oracle oracle = new Oracle(flags(profile, configuration))) {
      Thread asking = oracle.ask(scenarios.stream().map(Scenario::forOracle).toList());
      for (Scenario scenario : scenarios) {
        for (Scenario.Step step : scenario.steps()) {
          Answer theirs = oracle.next(Answer.class);
          assertThat(theirs)
              .as("answer to %s of %s", step.answer().pod(), scenario.id())
              .isNotNull();
          theirs = theirs.normal();
          if (theirs.crashes()) {
            crashes++;
            continue;
          }
          coverage.add(theirs);
          String difference = step.answer().differenceTo(theirs);
          if (!difference.isEmpty()) {
            differences.add(scenario.id() + ", pod " + step.answer().pod() + "\n" + difference);
          }
        }
      }
      asking.join();
    }
    assertThat(crashes).as("pods over which kube-scheduler crashes").isLessThan(1 + count / 50);
    show(scenarios, differences);
    assertThat(differences.stream().limit(SHOWN).toList())
        .as("%d differences %s", differences.size(), firstLines(differences))
        .isEmpty();
  }

  private static List<Map<String, Object>> objects(long seed, boolean grouped) {
    List<Map<String, Object>> objects = new ScenarioMaker(seed, VERSION).objects();
    return grouped ? new GroupMaker(seed).grouped(objects) : objects;
  }

  private static List<String> flags(Profile profile, Path configuration) {
    List<String> flags = new ArrayList<>();
    if (configuration != null) {
      flags.add("-config=" + configuration);
    }
    if (profile.schedulesGangs()) {
      flags.add("-groups");
    }
    return flags;
  }

  /** The seeds and pods, where a summary of failures shows no more than a line. */
  private static List<String> firstLines(List<String> differences) {
    return differences.stream().limit(SHOWN).map(d -> d.lines().findFirst().orElse("")).toList();
  }

  /** Prints the first scenario that differs, to be given to the oracle by hand. */
  private static void show(List<Scenario> scenarios, List<String> differences) {
    for (Scenario scenario : scenarios) {
      if (!differences.isEmpty() && differences.getFirst().startsWith(scenario.id() + ",")) {
        try {
          String json = new ObjectMapper().writeValueAsString(scenario.forOracle());
          System.out.println("the first scenario that differs: " + json);
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
