// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Kstatus;
import io.exaplane.operator.status.KstatusSamples;
import io.exaplane.operator.status.Phase;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 38: each phase of a pool, and what tools that go by kstatus' rules take it for. */
class PoolKstatusTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final long GENERATION = 3;
  private static final KstatusSamples SAMPLES = new KstatusSamples("SchedulerPool");

  @AfterAll
  static void theRealLibraryGetsTheSame() throws IOException {
    SAMPLES.check();
  }

  @ParameterizedTest
  @CsvSource({
    "'', Current",
    "Progressing=True/Creating, InProgress",
    "Progressing=True/RollingOut, InProgress",
    "Available=False/Creating Progressing=True/Creating, InProgress",
    "Available=False/NobodyInCharge, InProgress",
    "Available=False/NotReached, InProgress",
    "Available=False/AnotherInCharge, InProgress",
    "Degraded=True/MembersMissing, Current",
    "ConfigurationValid=False/InvalidKubeconfig, Failed",
    "ConfigurationValid=False/DuplicateSchedulerName Progressing=True/RollingOut, Failed",
    "ReconciliationActive=False/WriteRefused, Failed",
    "ReconciliationActive=False/WriteRefused Progressing=True/RollingOut, Failed",
    "ReconciliationActive=False/ReconcileFailed, Current",
    "ReconciliationActive=False/Paused, Current",
    "ReconciliationActive=False/Paused Progressing=True/RollingOut, InProgress",
    "SizingValid=False/FewShards, Current",
    "UpToDate=False/OperatorUpdatePending, Current",
    "FallbackInactive=False/FallbackInCharge, Current"
  })
  void eachPhase(String differences, Kstatus verdict) {
    ConditionSet set = new ConditionSet(null, GENERATION, CLOCK);
    for (PoolCondition type : PoolCondition.values()) {
      boolean good =
          !List.of(
                  PoolCondition.Progressing,
                  PoolCondition.Degraded,
                  PoolCondition.OperatorUpdatePending,
                  PoolCondition.Reconciling,
                  PoolCondition.Stalled)
              .contains(type);
      set.set(type, good, Reason.AsExpected, "well");
    }
    Phase.set(set, PoolCondition.class, differences);
    PoolToolConditions.derive(set);
    List<Condition> conditions = set.build();
    SAMPLES.add(differences, GENERATION, conditions, verdict);
    assertThat(Kstatus.of(false, GENERATION, GENERATION, conditions)).isEqualTo(verdict);
    assertThat(Kstatus.of(false, GENERATION + 1, GENERATION, conditions))
        .isEqualTo(Kstatus.InProgress);
    assertThat(Kstatus.of(true, GENERATION, GENERATION, conditions)).isEqualTo(Kstatus.Terminating);
    assertThat(conditions)
        .allSatisfy(each -> assertThat(each.observedGeneration()).isEqualTo(GENERATION));
    assertThat(conditions.stream().map(Condition::type))
        .contains("Ready", "Reconciling", "Stalled");
  }
}
