// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 39: a healthy creation warns of nothing, and what is lost is a warning all the same. */
class EventRecorderTest {
  private static final Set<String> BAD = Set.of("Degraded", "Deleting");

  @ParameterizedTest
  @CsvSource({
    // What a creation goes through.
    "Available, False, Creating, false",
    "Progressing, True, WaitingForStores, false",
    "StoresReady, False, Starting, false",
    "CertificatesValid, False, Creating, false",
    "APIServerAvailable, False, Starting, false",
    "EndpointReady, False, Creating, false",
    "KubeconfigReady, False, Creating, false",
    "Ready, False, TLSSecretMissing, false",
    "SchedulerAvailable, False, WaitingForPool, false",
    "Available, True, AsExpected, false",
    "Degraded, False, AsExpected, false",
    "Progressing, False, AsExpected, false",
    // What is wrong.
    "Available, False, Unavailable, true",
    "Available, False, StoreDataLost, true",
    "Degraded, True, PartlyAvailable, true",
    "StoresReady, False, StoreUnavailable, true",
    "EndpointReady, False, AddressLost, true",
    "EndpointReady, False, NoNodeAddress, true",
    "ConfigurationValid, False, NetworkOverlap, true",
    "CertificatesValid, False, CASecretMissing, true",
    "ReconciliationActive, False, ReconcileFailed, true",
    "CapacityAvailable, True, SpaceScarce, true",
    "DataIntact, False, StoreDataLost, true",
    "Ready, False, ClaimOfAnother, true",
    "CapacityAvailable, Unknown, StoreUnavailable, false"
  })
  void onlyWhatIsWrongIsAWarning(String type, String status, String reason, boolean warns) {
    Condition change = new Condition(type, status, reason, "m", "2026-01-01T00:00:00Z", 1L);
    assertThat(EventRecorder.warns(change, BAD)).isEqualTo(warns);
  }
}
