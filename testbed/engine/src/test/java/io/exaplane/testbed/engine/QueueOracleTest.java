// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens, the engine's queue has the pods where kube-scheduler's has them: its own queue,
 * event handlers and hints, called one after the other with a clock that stands still.
 */
class QueueOracleTest {
  private static final int SCRIPTS = Math.max(1, Integer.getInteger("scenarios", 1000) / 3);
  private static final int AT_ONCE = 250;
  private static final int ENOUGH_FOR_ALL_HINTS = 5000;
  private static final int STEPS = 150;
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));

  private static final Version VERSION =
      Version.of(System.getProperty("kubernetes", Version.newest().toString()));

  private final HintCoverage coverage = new HintCoverage();
  private final List<String> differences = new ArrayList<>();

  @Test
  void keepsPodsAsKubeScheduler() throws Exception {
    assumeTrue(VERSION.atLeast(Version.V1_36), "the oracle knows no older queue");
    compare(Profile.defaults(VERSION), SCRIPTS);
    if (SCRIPTS >= ENOUGH_FOR_ALL_HINTS) {
      assertThat(coverage.missing()).as("hints that were not asked, or always said one").isEmpty();
    }
  }

  @Test
  void keepsGroupsAsKubeScheduler() throws Exception {
    assumeTrue(VERSION.atLeast(Version.V1_36), "the oracle knows no older queue");
    compare(EngineOracleTest.profile("gangs"), Math.max(1, SCRIPTS / 3));
  }

  private void compare(Profile profile, int count) throws Exception {
    System.out.println("queues: seeds from " + FIRST_SEED + " on");
    for (int done = 0; done < count; done += AT_ONCE) {
      compare(profile, FIRST_SEED + done, Math.min(AT_ONCE, count - done));
    }
    System.out.println(coverage);
    assertThat(differences).as("%d differences", differences.size()).isEmpty();
  }

  private void compare(Profile profile, long seed, int count) throws Exception {
    List<QueueScript> scripts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      scripts.add(new QueueScript(seed + i, STEPS, profile, coverage));
    }
    List<String> flags =
        profile.schedulesGangs() ? List.of("-queue", "-groups") : List.of("-queue");
    try (Oracle oracle = new Oracle(flags)) {
      Thread asking = oracle.ask(scripts.stream().map(QueueScript::forOracle).toList());
      for (QueueScript script : scripts) {
        compare(script, oracle);
      }
      asking.join();
    }
  }

  /** After the first difference the two are in different states: the others say nothing. */
  private void compare(QueueScript script, Oracle oracle) throws JsonProcessingException {
    boolean same = true;
    for (QueueState ours : script.states()) {
      QueueState theirs = oracle.next(QueueState.class);
      if (same && !ours.equals(theirs)) {
        same = false;
        differences.add(
            "%s\n ours:   %s\n theirs: %s".formatted(script.describe(ours.step()), ours, theirs));
      }
    }
    if (!same && differences.size() == 1) {
      String json = new ObjectMapper().writeValueAsString(script.forOracle());
      System.out.println("the first script that differs: " + json);
    }
  }
}
