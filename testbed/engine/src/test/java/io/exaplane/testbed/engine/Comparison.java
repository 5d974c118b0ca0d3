// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.GroupMaker;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;

/**
 * The engine and the real framework on the same made-up clusters: the engine decides about the next
 * ones while the framework is asked about those before.
 */
final class Comparison {
  private static final int SHOWN = 10;

  /** A scenario that was asked about, or why there is none. */
  private record Asked(Scenario scenario, Throwable failure) {}

  private final Profile profile;
  private final Path configuration;
  private final Coverage coverage = new Coverage();
  private final List<String> differences = new ArrayList<>();

  /**
   * Of one scheduler.
   *
   * @param configuration what the profile was read from; null for kube-scheduler's defaults
   */
  Comparison(Profile profile, Path configuration) {
    this.profile = profile;
    this.configuration = configuration;
  }

  /** Compares on the clusters of these seeds, and fails if anything differs. */
  Coverage run(long firstSeed, int count) throws InterruptedException {
    System.out.println("seeds from " + firstSeed + " on; -Dseed=N -Dscenarios=1 runs one again");
    return run(LongStream.range(firstSeed, firstSeed + count).toArray());
  }

  /** The same on clusters of any seeds. */
  Coverage run(long[] seeds) throws InterruptedException {
    BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    try (Oracle oracle = new Oracle(flags())) {
      Thread asking =
          oracle.ask(
              () ->
                  LongStream.of(seeds)
                      .<Object>mapToObj(seed -> decide(seed, asked).forOracle())
                      .iterator());
      for (int i = 0; i < seeds.length; i++) {
        Asked next = asked.take();
        assertThat(next.failure()).as("what the engine decides").isNull();
        compare(next.scenario(), oracle);
      }
      asking.join();
    }
    assertThat(differences.stream().limit(SHOWN).toList())
        .as("%d differences %s", differences.size(), firstLines())
        .isEmpty();
    return coverage;
  }

  private Scenario decide(long seed, BlockingQueue<Asked> asked) {
    try {
      List<Map<String, Object>> objects = new ScenarioMaker(seed, profile.version()).objects();
      if (profile.schedulesGangs()) {
        objects = new GroupMaker(seed, profile.version()).grouped(objects);
      }
      List<Scenario.Step> steps = new EngineRun(objects, profile, seed).steps();
      Scenario scenario = new Scenario("seed " + seed, objects, steps);
      asked.add(new Asked(scenario, null));
      return scenario;
    } catch (RuntimeException | Error e) {
      asked.add(new Asked(null, new IllegalStateException("seed " + seed, e)));
      throw e;
    }
  }

  private void compare(Scenario scenario, Oracle oracle) {
    boolean same = differences.isEmpty();
    for (Scenario.Step step : scenario.steps()) {
      Answer ours = step.answer();
      Answer theirs = oracle.next(Answer.class);
      assertThat(theirs).as("answer to %s of %s", ours.pod(), scenario.id()).isNotNull();
      theirs = theirs.normal();
      coverage.add(theirs, scenario.id());
      String difference = ours.differenceTo(theirs);
      if (!difference.isEmpty()) {
        differences.add(scenario.id() + ", pod " + ours.pod() + "\n" + difference);
      }
    }
    if (same && !differences.isEmpty()) {
      show(scenario);
    }
  }

  private List<String> flags() {
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
  private List<String> firstLines() {
    return differences.stream().limit(SHOWN).map(d -> d.lines().findFirst().orElse("")).toList();
  }

  /** Prints the first scenario that differs, to be given to the oracle by hand. */
  private static void show(Scenario scenario) {
    try {
      String json = new ObjectMapper().writeValueAsString(scenario.forOracle());
      System.out.println("the first scenario that differs: " + json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
