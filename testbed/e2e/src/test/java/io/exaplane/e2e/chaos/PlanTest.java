// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlanTest {
  @Test
  void aShortRunHasNoStepTwiceAndNoneThatTakesMinutesOrThatOthersNotice() {
    for (int seed = 0; seed < 1000; seed++) {
      List<Step> plan = Plan.of(new Random(seed), 12, false);
      assertThat(plan)
          .hasSize(12)
          .doesNotHaveDuplicates()
          .noneMatch(Step::isSlow)
          .noneMatch(Step::isOfAll);
    }
  }

  @Test
  void aSeedGivesTheSameRunAgainAndAnotherSeedAnother() {
    List<Step> plan = Plan.of(new Random(1), 120, true);
    assertThat(Plan.of(new Random(1), 120, true)).isEqualTo(plan);
    assertThat(Plan.of(new Random(2), 120, true)).isNotEqualTo(plan);
  }

  @Test
  void aLongRunHasEachStepAndThoseThatAreDoneOnceOnlyOnce() {
    for (int seed = 0; seed < 1000; seed++) {
      List<Step> plan = Plan.of(new Random(seed), 120, true);
      assertThat(plan).hasSize(120);
      assertThat(EnumSet.copyOf(plan)).containsExactly(Step.values());
      assertThat(plan.stream().filter(Step::isOnce))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Step.values()).filter(Step::isOnce).toList());
    }
  }

  @Test
  void manyShortRunsHaveEachStepThatIsQuickAndThatOthersDoNotNotice() {
    EnumSet<Step> seen = EnumSet.noneOf(Step.class);
    for (int seed = 0; seed < 100; seed++) {
      seen.addAll(Plan.of(new Random(seed), 12, false));
    }
    assertThat(seen)
        .containsExactlyElementsOf(
            Arrays.stream(Step.values())
                .filter(step -> !step.isSlow() && !step.isOfAll())
                .toList());
  }
}
