// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Copies;
import io.exaplane.scheduler.engine.scenario.Dice;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is decided does not depend on how it is found out, or on the order in which things came. */
class ChoiceTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 20);

  /** Among fewer clusters, what is rare may be missing by chance. */
  private static final int ENOUGH = 50;

  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));
  private static final int COPIES = 6;

  private final AtomicInteger preempted = new AtomicInteger();

  @Test
  void indexesChooseWhatAskingEveryNodeDoes() {
    long placed = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      List<Map<String, Object>> objects = Copies.crowd(new ScenarioMaker(seed).objects(), COPIES);
      List<String> withReasons = choices(objects, seed, true);
      List<String> without = choices(objects, seed, false);
      assertThat(without).as("seed %d", seed).isEqualTo(withReasons);
      placed += without.stream().filter(choice -> !choice.endsWith("-> ")).count();
    }
    if (SCENARIOS >= ENOUGH) {
      assertThat(placed).isGreaterThan(SCENARIOS);
      assertThat(preempted).hasValueGreaterThan(SCENARIOS / 4);
    }
  }

  @Test
  void orderOfNodesAndPodsDoesNotMatter() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      List<Map<String, Object>> objects = new ScenarioMaker(seed).objects();
      List<String> straight = judgements(Clusters.of(objects, Version.newest()), seed);
      List<Map<String, Object>> shuffled = new ArrayList<>(objects);
      Collections.shuffle(shuffled, new Random(seed));
      List<String> other = judgements(Clusters.of(shuffled, Version.newest()), seed);
      assertThat(other).as("seed %d", seed).isEqualTo(straight);
    }
  }

  @Test
  void whatCameAndWentLeavesNothing() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      List<Map<String, Object>> objects = new ScenarioMaker(seed).objects();
      List<Map<String, Object>> passing = new ScenarioMaker(~seed).objects();
      Cluster cluster = Clusters.of(objects, Version.newest());
      Decider watching = new Decider(cluster, Profile.defaults(Version.newest()), seed, true);
      watching.judgeEach(decision -> {});
      Clusters.disturb(cluster, passing, new Dice(seed), () -> watching.judgeEach(decision -> {}));
      Clusters.restore(cluster, objects);
      Cluster anew = Clusters.of(objects, Version.newest());
      assertThat(judgements(cluster, seed)).as("seed %d", seed).isEqualTo(judgements(anew, seed));
    }
  }

  private List<String> choices(List<Map<String, Object>> objects, long seed, boolean reasons) {
    List<String> choices = new ArrayList<>();
    Cluster cluster = Clusters.of(objects, Version.newest());
    new Decider(cluster, Profile.defaults(Version.newest()), seed, reasons)
        .placeAll(
            d -> {
              List<String> victims = d.victims().stream().map(v -> v.pod().key()).toList();
              preempted.addAndGet(victims.size());
              choices.add(
                  d.pod().pod().key() + " for " + victims + " -> " + d.node() + d.nominated());
            });
    return choices;
  }

  /** All that is said of each pod that waits, by pod. */
  private static List<String> judgements(Cluster cluster, long seed) {
    List<String> judgements = new ArrayList<>();
    Decider decider = new Decider(cluster, Profile.defaults(Version.newest()), seed, true);
    decider.judgeEach(
        decision ->
            judgements.add(
                "%s: %s %d %s %s %s"
                    .formatted(
                        decision.pod().pod().key(),
                        decision.node(),
                        decision.score(),
                        decision.nominated(),
                        decision.victims().stream().map(victim -> victim.pod().key()).toList(),
                        decision.message())));
    judgements.sort(null);
    return judgements;
  }
}
