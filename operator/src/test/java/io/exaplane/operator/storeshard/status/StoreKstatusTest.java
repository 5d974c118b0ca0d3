// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
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

/** Line 38: each phase of a store, and what tools that go by kstatus' rules take it for. */
class StoreKstatusTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final long GENERATION = 3;
  private static final KstatusSamples SAMPLES = new KstatusSamples("StoreShard");

  @AfterAll
  static void theRealLibraryGetsTheSame() throws IOException {
    SAMPLES.check();
  }

  @ParameterizedTest
  @CsvSource({
    "'', Current",
    "Ready=False/Starting, InProgress",
    "Ready=False/StoreUnavailable, InProgress",
    "Ready=False/TLSSecretMissing, InProgress",
    "Ready=False/TLSSecretOfAnother, Failed",
    "Ready=False/ClaimOfAnother, Failed",
    "Ready=False/StoreDataLost, Failed",
    "VolumeSized=False/VolumeGrowing, InProgress",
    "VolumeSized=False/VolumeCantGrow, Failed",
    "VolumeSized=False/VolumeCantGrow Ready=False/Starting, Failed",
    "ReconciliationActive=False/WriteRefused, Failed",
    "ReconciliationActive=False/WriteRefused Ready=False/Starting, Failed",
    "ReconciliationActive=False/ReconcileFailed, Current",
    "ConfigurationValid=False/UnsupportedBundle, Failed",
    "UpToDate=False/OperatorUpdatePending, Current",
    "CapacityAvailable=False/SpaceExceeded, Current",
    "DataIntact=False/StoreDataLost, Current"
  })
  void eachPhase(String differences, Kstatus verdict) {
    ConditionSet set = new ConditionSet(null, GENERATION, CLOCK);
    for (StoreCondition type : StoreCondition.values()) {
      boolean good =
          !List.of(
                  StoreCondition.OperatorUpdatePending,
                  StoreCondition.Reconciling,
                  StoreCondition.Stalled)
              .contains(type);
      set.set(type, good, Reason.AsExpected, "well");
    }
    Phase.set(set, StoreCondition.class, differences);
    StoreToolConditions.derive(set);
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
