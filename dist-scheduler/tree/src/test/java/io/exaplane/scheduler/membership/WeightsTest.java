// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WeightsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Weights weights = new Weights();

  private void answers(int member, int micros) {
    for (int i = 0; i < 20; i++) {
      weights.took(member, micros);
    }
  }

  private void three() {
    for (int member = 1; member <= 3; member++) {
      weights.add(member, false, 0);
    }
    answers(1, 4000);
    answers(2, 4000);
  }

  @Test
  void whoIsMuchSlowerGetsLessAndTimeToShowWhatItDoesWithIt() {
    three();
    answers(3, 40_000);
    assertThat(weights.weigh(5 * SECOND)).isFalse();
    assertThat(weights.weigh(10 * SECOND)).isTrue();
    assertThat(weights.now()).containsEntry(1, 1.0).containsEntry(3, 0.5);
    answers(3, 40_000);
    assertThat(weights.weigh(15 * SECOND)).isFalse();
    assertThat(weights.weigh(20 * SECOND)).isTrue();
    assertThat(weights.now()).containsEntry(3, 0.25);
  }

  @Test
  void whoIsQuickAgainGetsMoreAgain() {
    three();
    answers(3, 40_000);
    weights.weigh(10 * SECOND);
    answers(3, 4000);
    assertThat(weights.weigh(60 * SECOND)).isFalse();
    assertThat(weights.weigh(70 * SECOND)).isTrue();
    assertThat(weights.now()).containsEntry(3, 1.0);
    answers(3, 4000);
    assertThat(weights.weigh(200 * SECOND)).isFalse();
  }

  @Test
  void nobodyIsSlowWhereAllAreFastEnough() {
    three();
    answers(1, 10);
    answers(2, 10);
    answers(3, 5000);
    assertThat(weights.weigh(100 * SECOND)).isFalse();
  }

  @Test
  void nobodyLosesAll() {
    three();
    for (int i = 1; i < 20; i++) {
      answers(1, 4000);
      answers(2, 4000);
      answers(3, 1_000_000);
      weights.weigh(i * 10 * SECOND);
    }
    assertThat(weights.now()).containsEntry(3, 0.125).containsEntry(1, 1.0);
  }

  @Test
  void whoBeginsWithLittleGetsMoreOnceItIsQuick() {
    three();
    weights.add(3, true, 0);
    answers(3, 4000);
    assertThat(weights.now()).containsEntry(3, 0.125);
    assertThat(weights.weigh(60 * SECOND)).isTrue();
    assertThat(weights.now()).containsEntry(3, 0.25);
  }

  @Test
  void oneAloneIsNotSlow() {
    weights.add(1, false, 0);
    answers(1, 1_000_000);
    assertThat(weights.weigh(100 * SECOND)).isFalse();
  }
}
