// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AutoCompactionTest {
  /** What is due, by minute, of a store that is asked every second and makes a revision each. */
  private static Map<Long, Long> dueByMinute(AutoCompaction compaction, Duration time) {
    Map<Long, Long> due = new LinkedHashMap<>();
    for (long second = 0; second <= time.toSeconds(); second++) {
      long revision = compaction.due(TimeUnit.SECONDS.toMillis(second), 1 + second);
      if (revision != AutoCompaction.NONE) {
        due.put(second / 60, revision);
      }
    }
    return due;
  }

  private static long revisionAtMinute(long minute) {
    return 1 + 60 * minute;
  }

  /** And that of a sample more, as in etcd. */
  @Test
  void historyOfTenMinutesIsKept() {
    Map<Long, Long> due =
        dueByMinute(AutoCompaction.after(Duration.ofMinutes(10)), Duration.ofMinutes(45));
    assertThat(due)
        .containsExactly(
            Map.entry(10L, revisionAtMinute(0)),
            Map.entry(20L, revisionAtMinute(10 - 1)),
            Map.entry(30L, revisionAtMinute(20 - 1)),
            Map.entry(40L, revisionAtMinute(30 - 1)));
  }

  @Test
  void historyOfADayIsCompactedEveryHour() {
    Map<Long, Long> due =
        dueByMinute(AutoCompaction.after(Duration.ofHours(24)), Duration.ofHours(26));
    assertThat(due)
        .containsExactly(
            Map.entry(24 * 60L, revisionAtMinute(0)),
            Map.entry(25 * 60L, revisionAtMinute(60 - 6)),
            Map.entry(26 * 60L, revisionAtMinute(120 - 6)));
  }

  @Test
  void nothingIsDueWhileNothingIsNew() {
    AutoCompaction compaction = AutoCompaction.after(Duration.ofSeconds(10));
    long due = 0;
    for (long ms = 0; ms < 1_000_000; ms += 100) {
      due += compaction.due(ms, 7) == AutoCompaction.NONE ? 0 : 1;
    }
    assertThat(due).isEqualTo(1);
  }

  @Test
  void soManyRevisionsAreKept() {
    assertThat(dueByMinute(AutoCompaction.beyond(500), Duration.ofMinutes(16)))
        .containsExactly(
            Map.entry(10L, revisionAtMinute(10) - 500), Map.entry(15L, revisionAtMinute(15) - 500));
  }

  /** As in etcd, the first compaction that a client asks for may be at revision 0. */
  @Test
  void aNewStoreIsNotCompactedAtRevision0() {
    for (AutoCompaction compaction :
        List.of(
            AutoCompaction.never(),
            AutoCompaction.after(Duration.ofHours(1)),
            AutoCompaction.beyond(500))) {
      for (long minute = 0; minute < 30; minute++) {
        assertThat(compaction.due(Duration.ofMinutes(minute).toMillis(), 100)).isNegative();
      }
    }
  }
}
