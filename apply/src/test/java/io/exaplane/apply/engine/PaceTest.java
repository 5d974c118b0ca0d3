// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final Pace pace = new Pace(16);
  private long now = 1_000;

  private void rounds(int count, long latencyMs) {
    for (int at = 0; at < count; at++) {
      pace.sent();
      now += latencyMs;
      pace.answered(latencyMs, now);
    }
  }

  @Test
  void growsWhileAnswersAreQuickUpToTheMost() {
    assertThat(pace.window()).isEqualTo(4);
    rounds(10, 5);
    assertThat(pace.window()).isBetween(5, 7);
    rounds(1_000, 5);
    assertThat(pace.window()).isEqualTo(16);
  }

  @Test
  void halvesOnceForABurstOfRefusalsAndWaitsAsAsked() {
    rounds(1_000, 5);
    for (int at = 0; at < 8; at++) {
      pace.sent();
    }
    for (int at = 0; at < 8; at++) {
      pace.overloaded(2_000, now);
    }
    assertThat(pace.window()).isEqualTo(8);
    assertThat(pace.free(now + 1_999)).isFalse();
    assertThat(pace.free(now + 2_000)).isTrue();
  }

  @Test
  void shrinksWhenAnswersTakeFourTimesAsLong() {
    rounds(1_000, 100);
    rounds(20, 401);
    assertThat(pace.window()).isLessThan(8);
  }

  @Test
  void answersThatEachTakeAnotherTimeAreNoSign() {
    SplittableRandom random = new SplittableRandom(7);
    for (int at = 0; at < 1_000; at++) {
      rounds(1, 20 + random.nextInt(481));
    }
    assertThat(pace.window()).isEqualTo(16);
  }

  @Test
  void slowAnswersAloneLeaveTheNumberOfTheStart() {
    rounds(1_000, 100);
    int least = pace.window();
    for (int at = 0; at < 40; at++) {
      rounds(1, 5_000);
      least = Math.min(least, pace.window());
    }
    assertThat(least).isEqualTo(4);
    pace.sent();
    pace.overloaded(0, now + 1_000);
    assertThat(pace.window()).as("a refusal goes below").isEqualTo(2);
  }

  @Test
  void neverStopsAltogether() {
    for (int at = 0; at < 20; at++) {
      pace.sent();
      now += 1_000;
      pace.overloaded(0, now);
    }
    assertThat(pace.free(now + 100)).isTrue();
    pace.sent();
    assertThat(pace.free(now + 100)).isFalse();
  }
}
