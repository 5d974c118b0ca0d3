// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What tools make of our conditions, for every combination of those that they are derived from. */
class KubernetesStatusTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-11-26T12:00:00Z"), ZoneOffset.UTC);
  private static final KubernetesStatus.Types TYPES =
      new KubernetesStatus.Types(
          ConditionType.Ready, ConditionType.Reconciling, ConditionType.Stalled);
  private static final KubernetesStatus.Sources SOURCES =
      new KubernetesStatus.Sources(
          List.of(ConditionType.Available),
          KubernetesStatus.whileTrue(ConditionType.Progressing),
          List.of(ConditionType.ReconciliationActive),
          List.of(Reason.Paused));

  private static ConditionSet derived(boolean available, boolean progressing, Reason inactive) {
    ConditionSet conditions = new ConditionSet(null, 7L, NOON);
    conditions.set(ConditionType.Available, available, Reason.Unavailable, "available? Check.");
    conditions.set(
        ConditionType.Progressing, progressing, Reason.RollingOut, "progressing? Check.");
    conditions.set(
        ConditionType.ReconciliationActive,
        inactive == Reason.AsExpected,
        inactive,
        "reconciles? Check.");
    KubernetesStatus.derive(conditions, TYPES, SOURCES);
    return conditions;
  }

  @Test
  void eachCombinationTellsWhatKstatusExpects() {
    for (boolean available : List.of(true, false)) {
      for (boolean progressing : List.of(true, false)) {
        for (Reason inactive : List.of(Reason.AsExpected, Reason.Paused, Reason.WriteRefused)) {
          ConditionSet conditions = derived(available, progressing, inactive);
          boolean stalled = inactive == Reason.WriteRefused;
          assertThat(conditions.isTrue(ConditionType.Stalled)).isEqualTo(stalled);
          assertThat(conditions.isTrue(ConditionType.Reconciling))
              .isEqualTo(progressing && !stalled);
          assertThat(conditions.isTrue(ConditionType.Ready)).isEqualTo(available && !stalled);
          assertThat(conditions.build())
              .allSatisfy(condition -> assertThat(condition.observedGeneration()).isEqualTo(7L));
          assertThat(conditions.changes().stream().map(Condition::type).collect(Collectors.toSet()))
              .doesNotContain("Ready", "Reconciling", "Stalled");
        }
      }
    }
  }
}
