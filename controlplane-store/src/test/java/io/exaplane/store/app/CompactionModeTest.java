// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.api.AutoCompaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompactionModeTest {
  private static final long HOUR_MS = 3_600_000;

  @ParameterizedTest
  @CsvSource({
    "PERIODIC, 0",
    "PERIODIC, 00",
    "PERIODIC, 0s",
    "PERIODIC, ''",
    "REVISION, 0",
    "REVISION, ''"
  })
  void nothingIsOff(CompactionMode mode, String retention) {
    assertThat(mode.compaction(retention)).isInstanceOf(AutoCompaction.Never.class);
  }

  @ParameterizedTest
  @CsvSource({"1, 3600000", "30m, 1800000", "1h30m, 5400000"})
  void aPeriodIsInHoursOrATime(String retention, long ms) {
    AutoCompaction compaction = CompactionMode.PERIODIC.compaction(retention);
    long due = AutoCompaction.NONE;
    long nowMs = 0;
    while (due == AutoCompaction.NONE && nowMs < 3 * HOUR_MS) {
      nowMs += 1000;
      due = compaction.due(nowMs, 7);
    }
    assertThat(nowMs - 1000).isEqualTo(ms);
  }

  @Test
  void revisionsAreANumber() {
    assertThat(CompactionMode.REVISION.compaction("1000"))
        .isInstanceOf(AutoCompaction.Revisions.class);
    assertThatThrownBy(() -> CompactionMode.REVISION.compaction("10m"))
        .hasMessage("must be a number of revisions");
  }

  @Test
  void whatIsNoTimeIsRefused() {
    assertThatThrownBy(() -> CompactionMode.PERIODIC.compaction("soon"))
        .hasMessage("must be hours, or a time as 10m or 1h30m");
    assertThatThrownBy(() -> CompactionMode.PERIODIC.compaction("-1h"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
