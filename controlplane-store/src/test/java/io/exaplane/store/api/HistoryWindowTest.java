// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HistoryWindowTest {
  private final HistoryWindow window = new HistoryWindow(10_000);

  @Test
  void startsWhereTheStoreWasSoLongAgo() {
    assertThat(window.start(0, 5)).isEqualTo(HistoryWindow.NONE);
    assertThat(window.start(5_000, 50)).isEqualTo(HistoryWindow.NONE);
    assertThat(window.start(9_999, 90)).isEqualTo(HistoryWindow.NONE);
    assertThat(window.start(10_000, 100)).isEqualTo(5);
    assertThat(window.start(15_000, 150)).isEqualTo(50);
  }

  @Test
  void isLateByATenthAtMost() {
    long late = 0;
    for (long nowMs = 0; nowMs < 100_000; nowMs += 50) {
      long start = window.start(nowMs, nowMs + 1); // revisions are milliseconds
      if (start != HistoryWindow.NONE) {
        late = start;
      }
      assertThat(nowMs < 11_000 || nowMs - late <= 11_050).isTrue();
      assertThat(late == 0 || nowMs - late >= 9_999).isTrue();
    }
  }

  @Test
  void afterAPauseAllThatIsOldEnoughGoes() {
    window.start(0, 1);
    window.start(1_000, 2);
    window.start(2_000, 3);
    assertThat(window.start(60_000, 3)).isEqualTo(3);
    assertThat(window.start(61_000, 3)).isEqualTo(HistoryWindow.NONE);
  }
}
