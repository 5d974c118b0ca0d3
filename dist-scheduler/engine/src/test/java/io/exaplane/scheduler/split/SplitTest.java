// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.explain.Decision;
import io.exaplane.scheduler.explain.Simulation;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.plugin.Grant;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.scenario.Clusters;
import io.exaplane.scheduler.scenario.Copies;
import io.exaplane.scheduler.scenario.Dice;
import io.exaplane.scheduler.scenario.ScenarioMaker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * However nodes are dealt out to shards, now and then anew, what is decided is what one engine
 * decides.
 */
class SplitTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 300);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
  private static final int COPIES = 4;

  /** How often a node changes hands after a decision. */
  private static final double HAND_OVER = 0.1;

  private int placed;
  private int preempted;
  private int refused;

  @Test
  void decidesAsOneEngine() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      compare(new ScenarioMaker(seed).objects(), seed, true);
    }
    assertThat(placed).isGreaterThanOrEqualTo(SCENARIOS / 2);
    assertThat(preempted).isGreaterThanOrEqualTo(SCENARIOS / 20);
    assertThat(refused).isGreaterThanOrEqualTo(SCENARIOS / 2);
  }

  @Test
  void decidesAsOneEngineByIndexes() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      compare(Copies.crowd(new ScenarioMaker(seed).objects(), COPIES), seed, false);
    }
    assertThat(placed).isGreaterThanOrEqualTo(SCENARIOS);
    assertThat(preempted).isGreaterThanOrEqualTo(SCENARIOS / 10);
  }

  private void compare(List<Map<String, Object>> objects, long seed, boolean withReasons) {
    Dice dice = new Dice(seed);
    Version version = dice.one(Version.values());
    Profile profile = Profile.defaults(version);
    Cluster cluster = Clusters.of(objects, version);
    Simulation one = new Simulation(cluster, profile, seed, withReasons);
    Parts parts = new Parts(objects, version, dice);
    List<Shard> shards =
        parts.all().stream().map(part -> new Shard(part, profile, seed, withReasons)).toList();
    Root root = new Root(shards, profile, withReasons);
    one.eachTurn(
        turn -> {
          PlacedPod pod = turn.pods().getFirst();
          Decision decision = one.decide(pod);
          Outcome outcome = root.decide(pod.pod());
          assertThat(words(outcome))
              .as("seed %d, pod %s, %d shards", seed, pod.pod().key(), shards.size())
              .isEqualTo(words(decision));
          count(outcome);
          one.apply(decision);
          root.apply(outcome);
          if (dice.chance(HAND_OVER)) {
            parts.handOver();
          }
        });
  }

  private void count(Outcome outcome) {
    placed += outcome.node().isEmpty() ? 0 : 1;
    preempted += outcome.victims().isEmpty() ? 0 : 1;
    refused += outcome.node().isEmpty() && outcome.nominated().isEmpty() ? 1 : 0;
  }

  private static String words(Outcome outcome) {
    return words(
        outcome.node() + " " + outcome.score() + " " + outcome.waitsNoMore(),
        outcome.nominated() + " for " + outcome.victims(),
        outcome.grants(),
        outcome.givenUp() == null ? "" : outcome.givenUp().key(),
        outcome.message());
  }

  private static String words(Decision decision) {
    List<String> victims = decision.victims().stream().map(v -> v.pod().key()).toList();
    return words(
        decision.node() + " " + decision.score() + " " + decision.waitsNoMore(),
        decision.nominated() + " for " + victims,
        decision.grants(),
        decision.givenUp() == null ? "" : decision.givenUp().key(),
        decision.message());
  }

  private static String words(
      String node, String nominated, List<Grant> grants, String givenUp, String message) {
    List<String> given =
        grants.stream().map(g -> g.claim().key() + " " + g.allocation().results()).toList();
    return String.join("; ", node, nominated, given.toString(), givenUp, message);
  }
}
