// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RememberedReviewsTest {
  private static final Right RIGHT = Right.toListPlanes("team-a");
  private final FakeReviews api = new FakeReviews();
  private long nanos;
  private final RememberedReviews reviews = new RememberedReviews(api, () -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void anAnswerCountsForAMomentOnly() {
    api.users.put("t", FakeReviews.viewer("anna"));
    assertThat(reviews.who("t")).isPresent();
    api.users.clear();
    pass(RememberedReviews.FRESH.minusNanos(1));
    assertThat(reviews.who("t")).isPresent();
    assertThat(api.asked).isEqualTo(1);
    pass(Duration.ofNanos(1));
    assertThat(reviews.who("t")).isEmpty();
  }

  @Test
  void theLastAnswerCountsDuringAnOutage() {
    Viewer anna = FakeReviews.viewer("anna");
    api.rights.add(RIGHT);
    assertThat(reviews.may(anna, RIGHT)).isTrue();
    api.answers = false;
    pass(RememberedReviews.LAST.minusNanos(1));
    assertThat(reviews.may(anna, RIGHT)).isTrue();
    pass(Duration.ofNanos(1));
    assertThatThrownBy(() -> reviews.may(anna, RIGHT)).isInstanceOf(Reviews.Unreachable.class);
  }

  @Test
  void rightsAreThoseOfOneUserAndOneQuestion() {
    api.rights.add(RIGHT);
    assertThat(reviews.may(FakeReviews.viewer("anna"), RIGHT)).isTrue();
    api.rights.clear();
    assertThat(reviews.may(FakeReviews.viewer("bert"), RIGHT)).isFalse();
    assertThat(reviews.may(FakeReviews.viewer("anna"), Right.toListPlanes(""))).isFalse();
  }
}
