// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Copies;
import io.exaplane.scheduler.engine.scenario.Dice;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * However nodes are dealt out to shards, now and then anew, what is decided is what one engine
 * decides.
 */
class SplitTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 20);

  /** Among fewer clusters, what is rare may be missing by chance. */
  private static final int ENOUGH = 50;

  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
  private static final int COPIES = 4;

  /** How often a node changes hands, or is another one, after a decision. */
  private static final double CHANGE = 0.1;

  private int placed;
  private int preempted;
  private int refused;
  private int granted;
  private int forgot;
  private int givenUp;
  private int several;

  @Test
  void decidesAsOneEngine() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      compare(new ScenarioMaker(seed).objects(), seed, true);
    }
    System.out.printf(
        "%d placed, %d preempted, %d refused; %d with devices, %d gave some up, %d wait no more; %d"
            + " of several shards%n",
        placed, preempted, refused, granted, givenUp, forgot, several);
    if (SCENARIOS < ENOUGH) {
      return;
    }
    assertThat(placed).isGreaterThanOrEqualTo(SCENARIOS / 2);
    assertThat(preempted).isGreaterThanOrEqualTo(SCENARIOS / 50);
    assertThat(refused).isGreaterThanOrEqualTo(SCENARIOS / 2);
    assertThat(several).isGreaterThanOrEqualTo(SCENARIOS / 2);
    assertThat(granted).isGreaterThanOrEqualTo(SCENARIOS / 60);
    assertThat(forgot).isGreaterThanOrEqualTo(SCENARIOS / 20);
    assertThat(givenUp).isGreaterThanOrEqualTo(SCENARIOS / 1000);
  }

  @Test
  void decidesAsOneEngineByIndexes() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      compare(Copies.crowd(new ScenarioMaker(seed).objects(), COPIES), seed, false);
    }
    if (SCENARIOS >= ENOUGH) {
      assertThat(placed).isGreaterThanOrEqualTo(SCENARIOS);
      assertThat(preempted).isGreaterThanOrEqualTo(SCENARIOS / 10);
    }
  }

  private void compare(List<Map<String, Object>> objects, long seed, boolean withReasons) {
    Dice dice = new Dice(seed);
    Version version = dice.one(Version.values());
    Profile profile = Profile.defaults(version);
    Cluster cluster = Clusters.of(objects, version);
    Decider one = new Decider(cluster, profile, seed, withReasons);
    Parts parts = new Parts(objects, version, dice);
    List<Shard> shards =
        parts.all().stream().map(part -> new Shard(part, profile, seed, withReasons)).toList();
    Root root = new Root(shards, profile, withReasons);
    several += shards.size() > 1 ? 1 : 0;
    Map<String, Pod> waiting = new HashMap<>();
    one.waiting().forEach(pod -> waiting.put(pod.pod().key(), pod.pod()));
    one.eachTurn(
        turn -> {
          PlacedPod pod = turn.pods().getFirst();
          Decision decision = one.decide(pod);
          Outcome outcome = root.decide(waiting.get(pod.pod().key()));
          assertThat(words(outcome))
              .as("seed %d, pod %s, %d shards", seed, pod.pod().key(), shards.size())
              .isEqualTo(words(decision));
          count(outcome);
          one.apply(decision);
          apply(outcome, root, waiting);
          if (dice.chance(CHANGE)) {
            parts.handOver();
          }
          if (dice.chance(CHANGE)) {
            parts.change(cluster);
          }
        });
  }

  /** What the API server would tell of pods that still wait is all that is known of them. */
  private static void apply(Outcome outcome, Root root, Map<String, Pod> waiting) {
    Pod pod = outcome.pod();
    root.apply(outcome).forEach(cleared -> waiting.put(cleared.key(), cleared));
    if (outcome.waitsNoMore() || !outcome.nominated().isEmpty()) {
      waiting.put(pod.key(), pod.nominatedTo(outcome.nominated()));
    }
  }

  private void count(Outcome outcome) {
    placed += outcome.node().isEmpty() ? 0 : 1;
    preempted += outcome.victims().isEmpty() ? 0 : 1;
    granted += outcome.grants().isEmpty() ? 0 : 1;
    forgot += outcome.waitsNoMore() ? 1 : 0;
    givenUp += outcome.givenUp() == null ? 0 : 1;
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
