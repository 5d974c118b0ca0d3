// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionSetTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  private static ConditionSet from(List<Condition> previous, Instant now) {
    return new ConditionSet(previous, 1L, Clock.fixed(now, ZoneOffset.UTC));
  }

  @Test
  void theSameStateGivesAnEqualListAndNoChange() {
    List<Condition> first =
        from(null, THEN).set(ConditionType.Available, true, Reason.AsExpected, "up").build();
    ConditionSet second =
        from(first, THEN.plusSeconds(60))
            .set(ConditionType.Available, true, Reason.AsExpected, "up");
    assertThat(second.build()).isEqualTo(first);
    assertThat(second.changes()).isEmpty();
  }

  @Test
  void aNewReasonIsAChangeThatKeepsTheTransitionTime() {
    List<Condition> first =
        from(null, THEN)
            .set(ConditionType.Degraded, true, Reason.PartlyAvailable, "Check a.")
            .build();
    ConditionSet second =
        from(first, THEN.plusSeconds(60))
            .set(ConditionType.Degraded, true, Reason.StoreUnavailable, "Check b.");
    assertThat(second.build().getFirst().lastTransitionTime()).isEqualTo(THEN.toString());
    assertThat(second.changes()).hasSize(1);
  }

  @Test
  void aNewStatusGetsANewTransitionTime() {
    List<Condition> first =
        from(null, THEN).set(ConditionType.Available, true, Reason.AsExpected, "up").build();
    Instant later = THEN.plusSeconds(60);
    assertThat(
            from(first, later)
                .set(ConditionType.Available, false, Reason.Unavailable, "Restart the pod.")
                .build()
                .getFirst()
                .lastTransitionTime())
        .isEqualTo(later.toString());
  }

  @Test
  void whatWasTrueOrLostStaysALossAndWhatNeverWasDoesNot() {
    List<Condition> up =
        from(null, THEN).set(ConditionType.Available, true, Reason.AsExpected, "up").build();
    List<Condition> lost =
        from(up, THEN)
            .set(ConditionType.Available, false, Reason.Unavailable, "Restart the pod.")
            .build();
    List<Condition> creating =
        from(null, THEN)
            .set(ConditionType.Available, false, Reason.Creating, "soon" + Patience.NO_ACTION)
            .build();
    assertThat(from(up, THEN).wasMet(ConditionType.Available, Reason.Unavailable)).isTrue();
    assertThat(from(lost, THEN).wasMet(ConditionType.Available, Reason.Unavailable)).isTrue();
    assertThat(from(creating, THEN).wasMet(ConditionType.Available, Reason.Unavailable)).isFalse();
    assertThat(from(null, THEN).wasMet(ConditionType.Available, Reason.Unavailable)).isFalse();
  }

  @Test
  void thatNoActionIsNeededIsSaidForTwoMinutes() {
    String asks = "Pods start." + Patience.NO_ACTION;
    List<Condition> first =
        from(null, THEN).set(ConditionType.Progressing, true, Reason.Creating, asks).build();
    ConditionSet early = limited(first, asks, THEN.plusSeconds(119));
    assertThat(early.build()).isEqualTo(first);
    assertThat(early.untilPatienceEnds()).contains(Duration.ofMillis(1_100));
    ConditionSet late = limited(first, asks, THEN.plusSeconds(120));
    assertThat(late.build().getFirst().message())
        .isEqualTo("Pods start. This has taken more than 2 minutes: check pod p");
    assertThat(late.untilPatienceEnds()).isEmpty();
    assertThat(late.changes()).as("no Event for other words").isEmpty();
    assertThat(limited(late.build(), asks, THEN.plusSeconds(500)).build()).isEqualTo(late.build());
    assertThat(
            limited(first, "Check the pods.", THEN.plusSeconds(500)).build().getFirst().message())
        .isEqualTo("Check the pods.");
  }

  private static ConditionSet limited(List<Condition> before, String message, Instant now) {
    ConditionSet set =
        from(before, now).set(ConditionType.Progressing, true, Reason.Creating, message);
    set.limitPatience(ConditionSet::since, _ -> "check pod p" + Patience.NO_ACTION);
    return set;
  }
}
