// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Kstatus;
import io.exaplane.operator.status.KstatusSamples;
import io.exaplane.operator.status.Phase;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each phase of a control plane, and what tools that go by kstatus' rules take it for. */
class KstatusTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final long GENERATION = 3;
  private static final KstatusSamples SAMPLES = new KstatusSamples("ControlPlane");

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}");

  KstatusTest() {
    controlPlane.getMetadata().setGeneration(GENERATION);
  }

  @AfterAll
  static void theRealLibraryGetsTheSame() throws IOException {
    SAMPLES.check();
  }

  /**
   * What differs from a control plane that is well, as {@code Type=Status/Reason}, and the verdict.
   */
  @ParameterizedTest
  @CsvSource({
    "'', Current",
    "Progressing=True/Creating, InProgress",
    "Progressing=True/RollingOut, InProgress",
    "Progressing=False/ProgressDeadlineExceeded, Failed",
    "Available=False/Creating Progressing=False/WaitingForCertificates, InProgress",
    "Available=False/Creating Progressing=True/Creating, InProgress",
    "Available=False/Unavailable, InProgress",
    "Available=False/StoreDataLost StoreDataAvailable=False/StoreDataLost, Failed",
    "ControllerManagerAvailable=False/NobodyInCharge, InProgress",
    "SchedulerAvailable=False/NobodyInCharge, InProgress",
    "Degraded=True/NobodyInCharge, Current",
    "ConfigurationValid=False/InvalidSizing, Failed",
    "ConfigurationValid=False/InvalidSizing Progressing=True/RollingOut, Failed",
    "CertificatesValid=False/CertificateExpired, Failed",
    "CertificatesValid=False/Creating Progressing=True/Creating, InProgress",
    "ReconciliationActive=False/WriteRefused, Failed",
    "ReconciliationActive=False/WriteRefused Progressing=True/RollingOut, Failed",
    "ReconciliationActive=False/ReconcileFailed, Current",
    "ReconciliationActive=False/Paused, Current",
    "ReconciliationActive=False/Paused Progressing=True/RollingOut, InProgress"
  })
  void eachPhase(String differences, Kstatus verdict) {
    List<Condition> conditions = conditions(differences);
    SAMPLES.add(differences, GENERATION, conditions, verdict);
    assertThat(Kstatus.of(false, GENERATION, GENERATION, conditions)).isEqualTo(verdict);
    assertThat(Kstatus.of(false, GENERATION + 1, GENERATION, conditions))
        .isEqualTo(Kstatus.InProgress);
    assertThat(Kstatus.of(true, GENERATION, GENERATION, conditions)).isEqualTo(Kstatus.Terminating);
    assertThat(conditions)
        .allSatisfy(each -> assertThat(each.observedGeneration()).isEqualTo(GENERATION));
  }

  @Test
  void oneThatWasJustSeenIsInProgress() {
    assertThat(verdict(LifecycleStatus.accepted(controlPlane, CLOCK)))
        .isEqualTo(Kstatus.InProgress);
  }

  @Test
  void oneWhoseObjectsAreRefusedFailed() {
    controlPlane.setStatus(LifecycleStatus.accepted(controlPlane, CLOCK).status());
    assertThat(verdict(failed(false))).isEqualTo(Kstatus.Failed);
    assertThat(verdict(failed(true))).isEqualTo(Kstatus.InProgress);
  }

  @Test
  void aSpecThatNobodyLookedAtIsNeverDone() {
    controlPlane.setStatus(LifecycleStatus.accepted(controlPlane, CLOCK).status());
    controlPlane.getMetadata().setGeneration(GENERATION + 1);
    ControlPlaneStatus status = failed(true).status();
    assertThat(status.observedGeneration()).isEqualTo(GENERATION);
    assertThat(Kstatus.of(false, GENERATION + 1, GENERATION, status.conditions()))
        .isEqualTo(Kstatus.InProgress);
  }

  private LifecycleStatus failed(boolean passes) {
    return LifecycleStatus.failed(
        controlPlane,
        new Refusal("Service demo", "apply", "ResourceQuota q", "no", "Raise it.", passes),
        Optional.empty(),
        CLOCK);
  }

  private Kstatus verdict(LifecycleStatus told) {
    return Kstatus.of(
        false,
        controlPlane.getMetadata().getGeneration(),
        told.status().observedGeneration(),
        told.status().conditions());
  }

  private static List<Condition> conditions(String differences) {
    ConditionSet conditions = new ConditionSet(null, GENERATION, CLOCK);
    for (ConditionType type :
        List.of(
            ConditionType.Available,
            ConditionType.ConfigurationValid,
            ConditionType.StoreDataAvailable,
            ConditionType.CertificatesValid,
            ConditionType.ControllerManagerAvailable,
            ConditionType.SchedulerAvailable,
            ConditionType.ReconciliationActive)) {
      conditions.set(type, true, Reason.AsExpected, "well");
    }
    conditions.set(ConditionType.Progressing, false, Reason.AsExpected, "well");
    conditions.set(ConditionType.Degraded, false, Reason.AsExpected, "well");
    Phase.set(conditions, ConditionType.class, differences);
    ToolConditions.derive(conditions);
    return conditions.build();
  }
}
