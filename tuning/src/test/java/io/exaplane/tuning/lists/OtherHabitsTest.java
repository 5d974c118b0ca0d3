// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.version.MinorVersion;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Habits that came up after the analyser was written, among clients that do what they should in as
 * many ways again: the most expensive client gets a true finding, no other is accused.
 */
class OtherHabitsTest {
  private static final int SEEDS = Integer.getInteger("seeds", 1);
  private static final int INNOCENT = 42;

  @ParameterizedTest
  @EnumSource
  void theDearestIsTakenForWhatItIsAndNobodyElseIsAccused(OtherHabits habit) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Habits habits = new Habits(77L * habit.ordinal() + seed);
      for (int i = 0; i < INNOCENT; i++) {
        habits.innocent(i, 10);
        OtherHabits.innocent(habits, INNOCENT + i);
      }
      habit.plant(habits.as("culprit"));
      ListAnalysis analysis = new ListAnalysis(MinorVersion.of(36), Habits.INVENTORY);
      habits.events().forEach(analysis::take);
      List<ClientReport> clients = analysis.clients();
      ClientReport dearest = clients.getFirst();
      assertThat(dearest.client().program()).as("seed %d", seed).isEqualTo("culprit");
      assertThat(dearest.findings().keySet()).as("seed %d", seed).isEqualTo(habit.expected());
      assertThat(clients)
          .as("seed %d", seed)
          .filteredOn(report -> report.client().program().startsWith("innocent"))
          .allSatisfy(report -> assertThat(report.findings()).as("%s", report.client()).isEmpty());
    }
  }
}
