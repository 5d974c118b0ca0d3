// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ComparisonTest {
  private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");

  /** Whatever is done: data is not lost, and the spec is as good as before. */
  private static final Set<ConditionType> NEVER =
      Set.of(
          ConditionType.StoreDataAvailable,
          ConditionType.ConfigurationValid,
          ConditionType.KubeconfigReady,
          ConditionType.RestartBudgetAvailable,
          ConditionType.Deleting);

  @ParameterizedTest
  @EnumSource
  void whatMustTurnAndDoesFits(Step step) {
    assertThat(Comparison.problems(step, BEGAN, met(step, 1))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatTurnsTooLateOrDidBeforeIsMissing(Step step) {
    long late = step.must().stream().mapToLong(turn -> turn.within().toSeconds()).max().orElse(0);
    assertThat(Comparison.missing(step, BEGAN, met(step, late + 1))).isEqualTo(step.must());
    assertThat(Comparison.missing(step, BEGAN, met(step, -1))).isEqualTo(step.must());
    assertThat(Comparison.problems(step, BEGAN, List.of())).hasSize(step.must().size());
  }

  @ParameterizedTest
  @EnumSource
  void anotherReasonOrStatusIsMissing(Step step) {
    List<Told> others = new ArrayList<>();
    for (Turn turn : step.must()) {
      others.add(told(1, turn.type(), turn.status(), Reason.GuardOff.name()));
      others.add(told(1, turn.type(), "Unknown", turn.reasons().iterator().next().name()));
    }
    assertThat(Comparison.missing(step, BEGAN, others)).isEqualTo(step.must());
  }

  @ParameterizedTest
  @EnumSource
  void whatMayNotTurnIsAProblemAndOnlyThat(Step step) {
    for (ConditionType type : ConditionType.values()) {
      List<Told> all = new ArrayList<>(met(step, 1));
      Told bad = told(2, type, bad(type), "Any");
      all.add(bad);
      boolean repeats = type == ConditionType.Ready || type == ConditionType.Reconciling;
      assertThat(Comparison.problems(step, BEGAN, all).stream().filter(p -> p.contains("Any")))
          .as("%s", type)
          .hasSize(repeats || step.allows(type) ? 0 : 1);
      if (NEVER.contains(type)) {
        assertThat(step.allows(type)).as("%s", type).isFalse();
      }
    }
    assertThat(step.allows(ConditionType.OperatorUpdatePending))
        .isEqualTo(step == Step.UPGRADE_OPERATOR);
  }

  @Test
  void whatWasBadBeforeTheStepIsNoProblemOfIt() {
    Told before = told(-1, ConditionType.Available, Condition.FALSE, "Unavailable");
    assertThat(Comparison.problems(Step.DELETE_BUDGET, BEGAN, List.of(before))).isEmpty();
  }

  private static List<Told> met(Step step, long second) {
    return step.must().stream()
        .map(
            turn ->
                told(second, turn.type(), turn.status(), turn.reasons().iterator().next().name()))
        .toList();
  }

  private static String bad(ConditionType type) {
    return Arrays.stream(new String[] {Condition.TRUE, Condition.FALSE})
        .filter(status -> told(0, type, status, "").isBad())
        .findFirst()
        .orElse(Condition.FALSE);
  }

  private static Told told(long second, ConditionType type, String status, String reason) {
    return new Told(BEGAN.plusSeconds(second), type, status, reason, "");
  }
}
