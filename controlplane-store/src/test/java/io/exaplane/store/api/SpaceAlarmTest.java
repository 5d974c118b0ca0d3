// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpaceAlarmTest {
  private long nowMs = 1_700_000_000_000L;
  private final SpaceAlarm alarm = new SpaceAlarm(() -> nowMs, this::limits);
  private String limits = "the limit";
  private int asked;

  private String limits() {
    asked++;
    return limits;
  }

  @Test
  void itIsListedAsLongAsThereIsNoSpaceAndAWhileAfter() {
    assertThat(alarm.isListed()).isFalse();
    alarm.note(true);
    nowMs += 10 * SpaceAlarm.LINGER_MS;
    assertThat(alarm.isListed()).isTrue();
    alarm.note(false);
    assertThat(alarm.isFull()).isFalse();
    assertThat(alarm.isListed()).isTrue();
    nowMs += SpaceAlarm.LINGER_MS;
    assertThat(alarm.isListed()).isFalse();
  }

  @Test
  void aLimitThatIsReachedLaterIsToldToo() {
    alarm.note(true);
    limits = "another limit";
    for (int i = 0; i < 1_000; i++) {
      nowMs += 100;
      alarm.note(true);
    }
    assertThat(alarm.told()).containsExactlyInAnyOrder("the limit", "another limit");
    assertThat(asked).as("not by each write").isLessThan(20);
    alarm.note(false);
    nowMs += 20_000;
    alarm.note(false);
    assertThat(alarm.told()).isEmpty();
  }

  @Test
  void itCanBeDisarmedWhenItsReasonHasEnded() {
    alarm.note(true);
    alarm.disarm();
    assertThat(alarm.isListed()).as("it lasts").isTrue();
    alarm.note(false);
    alarm.disarm();
    assertThat(alarm.isListed()).isFalse();
  }
}
