// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Gangs;
import io.exaplane.scheduler.engine.scenario.GroupMaker;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups of made-up clusters. */
class GroupChoiceTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 100);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));

  @ParameterizedTest
  @EnumSource(names = {"V1_36", "V1_37"})
  void thinkingOfAGroupLeavesNothing(Version version) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      Cluster cluster = cluster(seed, version);
      List<String> first = decisions(cluster, version, seed, true, false);
      assertThat(decisions(cluster, version, seed, true, false))
          .as("seed %d", seed)
          .isEqualTo(first);
      List<String> placed = decisions(cluster, version, seed, true, true);
      assertThat(decisions(cluster(seed, version), version, seed, true, true))
          .as("seed %d", seed)
          .isEqualTo(placed);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_36", "V1_37"})
  void indexesChooseWhatAskingEveryNodeDoes(Version version) {
    long placed = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      List<String> withReasons = decisions(cluster(seed, version), version, seed, true, true);
      List<String> without = decisions(cluster(seed, version), version, seed, false, true);
      assertThat(without).as("seed %d", seed).isEqualTo(withReasons);
      placed += without.stream().filter(line -> !line.endsWith("-> ")).count();
    }
    assertThat(placed).isGreaterThanOrEqualTo(SCENARIOS / 2);
  }

  private static Cluster cluster(long seed, Version version) {
    List<Map<String, Object>> objects = new ScenarioMaker(seed, version).objects();
    return Clusters.of(new GroupMaker(seed, version).grouped(objects), version);
  }

  private static List<String> decisions(
      Cluster cluster, Version version, long seed, boolean withReasons, boolean comeTrue) {
    List<String> decisions = new ArrayList<>();
    Decider decider = new Decider(cluster, Gangs.profile(version), seed, withReasons);
    List<Decision> all = new ArrayList<>();
    if (comeTrue) {
      decider.placeAll(all::add);
    } else {
      decider.judgeEach(all::add);
    }
    for (Decision d : all) {
      List<String> victims = d.victims().stream().map(victim -> victim.pod().key()).toList();
      decisions.add(
          "%s for %s %s %s %s %s -> %s"
              .formatted(
                  d.pod().pod().key(),
                  victims,
                  d.nominated(),
                  d.givenUp() == null ? "" : d.givenUp().key(),
                  d.waitsNoMore(),
                  d.grants().stream().map(Grant::allocation).toList(),
                  d.node()));
    }
    return decisions;
  }
}
