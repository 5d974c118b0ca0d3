// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpaceAlarmTest {
  private long nowMs = 1_700_000_000_000L;
  private final SpaceAlarm alarm = new SpaceAlarm(() -> nowMs, () -> "the limit");

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
  void itCanBeDisarmedWhenItsReasonHasEnded() {
    alarm.note(true);
    alarm.disarm();
    assertThat(alarm.isListed()).as("it lasts").isTrue();
    alarm.note(false);
    alarm.disarm();
    assertThat(alarm.isListed()).isFalse();
  }
}
