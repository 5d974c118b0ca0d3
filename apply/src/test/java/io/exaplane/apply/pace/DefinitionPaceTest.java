// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.port.ServerLoad;
import org.junit.jupiter.api.Test;

class DefinitionPaceTest {
  private final DefinitionPace pace = new DefinitionPace();
  private long now = 1_000;

  private void rounds(int count, long delayMs) {
    for (int at = 0; at < count; at++) {
      now += delayMs;
      pace.established(delayMs, now);
    }
  }

  private void look(double live, double seats, double queued, double rejected) {
    now += 1_000;
    pace.looked(new ServerLoad(live, live, 1_000, seats, 100, queued, rejected, -1), now);
  }

  @Test
  void doublesWhileAllGoesWellUpToTheMost() {
    assertThat(pace.window()).isEqualTo(DefinitionPace.START);
    rounds(10, 50);
    assertThat(pace.window()).isEqualTo(20);
    rounds(200, 50);
    assertThat(pace.window()).isEqualTo(DefinitionPace.MOST);
  }

  @Test
  void growsByOneARoundAfterABadSign() {
    rounds(30, 50);
    pace.overloaded(0, now);
    assertThat(pace.window()).isEqualTo(20);
    rounds(20, 50);
    assertThat(pace.window()).isBetween(20, 21);
  }

  @Test
  void slowAppliesAndLateEstablishmentShrinkIt() {
    rounds(90, 100);
    pace.applied(100, now);
    pace.applied(499, now);
    assertThat(pace.window()).isEqualTo(100);
    pace.applied(501, now);
    assertThat(pace.window()).isEqualTo(80);
    assertThat(pace.words()).contains("an apply took 501 ms");
    rounds(1, 2_001);
    assertThat(pace.window()).isEqualTo(64);
    assertThat(pace.words()).contains("not established within 2001 ms");
  }

  @Test
  void aRefusalHoldsAsLongAsTheServerAsks() {
    pace.overloaded(3_000, now);
    assertThat(pace.window()).isEqualTo(5);
    assertThat(pace.free(0, true, now + 2_999)).isFalse();
    assertThat(pace.free(0, true, now + 3_000)).isTrue();
    assertThat(pace.free(5, true, now + 3_000)).isFalse();
  }

  @Test
  void refusalsOfOthersAndQueuesAndFullSeatsAreSigns() {
    rounds(90, 50);
    look(1, 10, 0, 7);
    assertThat(pace.window()).as("what was refused before does not count").isEqualTo(100);
    look(1, 10, 0, 8);
    assertThat(pace.window()).isEqualTo(50);
    look(1, 10, 3, 8);
    assertThat(pace.window()).isEqualTo(25);
    look(1, 81, 0, 8);
    assertThat(pace.window()).isEqualTo(20);
    look(1, 80, 0, 8);
    assertThat(pace.window()).isEqualTo(20);
  }

  @Test
  void nearTheLimitOfMemoryFewGoAndAboveItNone() {
    rounds(90, 50);
    look(640, 1, 0, 0);
    assertThat(pace.window()).isEqualTo(100);
    look(660, 1, 0, 0);
    assertThat(pace.window()).isEqualTo(4);
    assertThat(pace.free(3, true, now)).isTrue();
    look(770, 1, 0, 0);
    assertThat(pace.free(0, true, now)).isFalse();
    assertThat(pace.free(0, false, now)).as("one that exists").isTrue();
    assertThat(pace.words()).contains("77 % of its GOMEMLIMIT", "leave definitions out");
    look(500, 1, 0, 0);
    assertThat(pace.free(0, true, now)).isTrue();
    assertThat(pace.window()).isEqualTo(100);
  }

  @Test
  void aServerThatTellsNothingIsNoSign() {
    pace.looked(ServerLoad.UNKNOWN, now);
    assertThat(pace.window()).isEqualTo(DefinitionPace.START);
    assertThat(pace.free(0, true, now)).isTrue();
    assertThat(pace.words()).isEmpty();
  }
}
