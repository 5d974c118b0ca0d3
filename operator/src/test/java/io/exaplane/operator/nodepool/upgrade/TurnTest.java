// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.upgrade.Turn.Phase;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Node says of its upgrade. */
class TurnTest {
  private static final Instant NOW = Instant.parse("2026-11-28T10:00:00.123Z");

  @Test
  void aTurnIsReadAsItWasWritten() {
    for (Phase phase : Phase.values()) {
      for (boolean uncordons : new boolean[] {true, false}) {
        Turn turn = new Turn("1.37.2", phase, NOW, uncordons);
        assertThat(Turn.parse(turn.text(), NOW)).contains(turn);
      }
    }
    assertThat(new Turn("1.37.2", Phase.Drained, NOW, true).text())
        .isEqualTo("1.37.2;Drained;2026-11-28T10:00:00.123Z;Uncordon");
  }

  /** A kubelet may write annotations of its own Node. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.37.2",
        "1.37.2;Gone;2026-11-28T10:00:00Z;Keep",
        "1.37.2;Drained;yesterday;Keep",
        "1.37.2;Drained;2026-13-28T10:00:00Z;Keep",
        "1.99999.2;Drained;2026-11-28T10:00:00Z;Keep",
        "1.37.2;Drained;2026-11-28T10:00:00Z;Keep;rm",
        "1.37.2;Draining;+1000000000-12-31T23:59:59.999999999Z;Keep",
        "1.37.2;Draining;-1000000000-01-01T00:00:00Z;Keep",
        "1.37.2;Drained;2999-01-01T00:00:00Z;Uncordon",
        "1.37.2;Drained;2026-11-28T10:05:01Z;Uncordon"
      })
  void anythingElseIsNoTurn(String text) {
    assertThat(Turn.parse(text, NOW)).isEmpty();
  }

  @Test
  void theClocksOfTwoOperatorsMayDifferALittle() {
    Turn turn = new Turn("1.37.2", Phase.Drained, NOW.plusSeconds(299), true);
    assertThat(Turn.parse(turn.text(), NOW)).contains(turn);
  }

  @Test
  void aDrainedHostHasItsWholeTimeForAnotherVersion() {
    Turn turn = new Turn("1.37.2", Phase.Drained, NOW, false);
    Instant later = NOW.plusSeconds(99);
    assertThat(turn.toward("1.37.3", later))
        .isEqualTo(new Turn("1.37.3", Phase.Drained, later, false));
    Turn draining = new Turn("1.37.2", Phase.Draining, NOW, true);
    assertThat(draining.toward("1.37.3", later))
        .isEqualTo(new Turn("1.37.3", Phase.Draining, NOW, true));
    assertThat(draining.drained(later)).isEqualTo(new Turn("1.37.2", Phase.Drained, later, true));
  }
}
