// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.status.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificatesValidConditionTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /** One that is paused for longer than a leaf lives ends with an expired one. */
  @ParameterizedTest
  @CsvSource({
    // Secret, seconds until the certificate ends, pausedUntil, True, reason, words
    "demo-scheduler-pki, 1, null, true, AsExpected, renews leaf certificates",
    "demo-scheduler-pki, 0, null, true, AsExpected, renews leaf certificates",
    "demo-scheduler-pki, -1, '\"true\"', false, CertificateExpired, remove the field",
    "demo-scheduler-pki, -1, null, false, CertificateExpired, see ReconciliationActive",
    "other, 1, null, false, Creating, when the addresses are known",
  })
  void whatIsMissingOrExpiredIsNamed(
      String secret, long seconds, String paused, boolean met, Reason reason, String words) {
    Certificate leaf =
        new Certificate(
            "apiserver", "demo-apiserver-pki", NOON.plusSeconds(seconds).toString(), null, "a");
    Observed observed =
        new Observed(
            Fixtures.sized(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 10, pausedUntil: %s}".formatted(paused))),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            new PkiResult(
                Optional.empty(),
                Optional.empty(),
                List.of(leaf),
                Set.of(secret),
                List.of(),
                Map.of(),
                Optional.empty()),
            Optional.empty(),
            List.of(),
            List.of(),
            new Scheduling(Optional.empty(), Optional.empty(), false));
    Verdict verdict = CertificatesValidCondition.of(observed, NOON);
    assertThat(verdict.met()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(words);
  }
}
