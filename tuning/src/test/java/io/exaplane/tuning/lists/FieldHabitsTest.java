// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.version.MinorVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Habits of {@link FieldHabits} among clients that do what they should in forty ways; logs with two
 * of the habits; and logs with none, of which nobody is accused. {@code -Dseeds=N} makes more logs.
 */
class FieldHabitsTest {
  private static final int SEEDS = Integer.getInteger("seeds", 1);
  private static final int INNOCENT = 48;

  /** Logs without a culprit; their clients are made once for all kinds of tests. */
  private static final int QUIET_LOGS = 8 * SEEDS;

  /** Of clients that do what they should, at most so many are accused. */
  private static final double MOST_FALSE = 0.001;

  private static Habits innocents(long seed) {
    Habits habits = new Habits(seed);
    for (int i = 0; i < INNOCENT; i++) {
      habits.innocent(i, 10);
      OtherHabits.innocent(habits, INNOCENT + i);
      FieldInnocents.add(habits, 2 * INNOCENT + i);
    }
    return habits;
  }

  private static List<ClientReport> clients(Habits habits, int minor) {
    ListAnalysis analysis = new ListAnalysis(MinorVersion.of(minor), Habits.INVENTORY);
    habits.events().forEach(analysis::take);
    return analysis.clients();
  }

  @ParameterizedTest
  @EnumSource
  void theDearestIsTakenForWhatItIs(FieldHabits habit) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Habits habits = innocents(101L * habit.ordinal() + seed);
      habit.plant(habits.as("culprit"));
      List<ClientReport> clients = clients(habits, habit.minor());
      assertThat(clients.getFirst().client().program())
          .as("seed %d", seed)
          .satisfies(program -> assertThat(program).startsWith("culprit"));
      assertFound(habit, clients.getFirst(), seed);
      if (habit.minor() >= 34) {
        assertThat(accused(clients)).as("seed %d", seed).isEmpty();
      }
    }
  }

  /** The second most expensive client has its own finding as well. */
  @ParameterizedTest
  @EnumSource
  void twoInOneLogAreBothTakenForWhatTheyAre(FieldHabits habit) {
    FieldHabits other = FieldHabits.values()[(habit.ordinal() + 7) % FieldHabits.values().length];
    if (habit.minor() != 36 || other.minor() != 36) {
      return;
    }
    Habits habits = innocents(997L * habit.ordinal());
    habit.plant(habits.as("culprit"));
    other.plant(habits.as("culprit2"));
    List<ClientReport> clients = clients(habits, 36);
    ClientReport dearest = clients.getFirst();
    assertThat(dearest.client().program()).startsWith("culprit");
    assertFound(dearest.client().program().startsWith("culprit2") ? other : habit, dearest, 0);
    assertThat(accused(clients)).isEmpty();
  }

  @Test
  void ofQuietLogsNobodyIsAccused() {
    Map<String, Integer> accused = new TreeMap<>();
    int clients = 0;
    for (int log = 0; log < QUIET_LOGS; log++) {
      List<ClientReport> reports = clients(innocents(5_000 + log), 36);
      clients += reports.size();
      accused(reports).forEach(words -> accused.merge(words, 1, Integer::sum));
    }
    int all = accused.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf("%d of %d clients of quiet logs were accused: %s%n", all, clients, accused);
    assertThat(all / (double) clients).as("%s", accused).isLessThanOrEqualTo(MOST_FALSE);
  }

  /** Few clients, of which the one that costs most only did what it had to. */
  @Test
  void whoeverCostsMostOfALittleIsNotAccused() {
    for (int kind = 0; kind < FieldInnocents.KINDS; kind++) {
      Habits habits = new Habits(kind);
      FieldInnocents.add(habits, kind);
      for (int i = 0; i < 8; i++) {
        habits.as("innocent-small-" + i);
        habits.add(9 + i, "get", habits.address(i), "leases", "/x", 200);
      }
      assertThat(accused(clients(habits, 36))).as("kind %d", kind).isEmpty();
    }
  }

  private static void assertFound(FieldHabits habit, ClientReport report, int seed) {
    Set<Finding> found = new HashSet<>(report.findings().keySet());
    assertThat(found).as("%s, seed %d", habit, seed).containsAnyElementsOf(habit.wanted());
    found.removeAll(habit.wanted());
    assertThat(habit.alsoTrue()).as("%s, seed %d", habit, seed).containsAll(found);
  }

  private static List<String> accused(List<ClientReport> clients) {
    return clients.stream()
        .filter(report -> report.client().program().startsWith("innocent"))
        .filter(report -> !report.findings().isEmpty())
        .map(report -> report.client().program() + " " + report.findings().keySet())
        .toList();
  }
}
