// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.retention.Retention;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import java.time.Instant;
import java.util.Optional;

/** Whether every certificate is there, and none has expired. Pure. */
public final class CertificatesValidCondition {
  private CertificatesValidCondition() {}

  /** From what was seen. */
  public static Verdict of(Observed observed, Instant now) {
    PkiResult pki = observed.pki();
    if (pki.problem().isPresent()) {
      return Verdict.no(pki.problem().get().reason(), pki.problem().get().message());
    }
    Optional<String> expired = expired(pki, now);
    if (expired.isPresent()) {
      return Verdict.no(
          Reason.CertificateExpired,
          (observed.controlPlane().spec().pausedUntil() == null
                  ? "%s has expired, and the operator cannot write the new one; see ReconciliationActive for the refusing side and the next action."
                  : "%s has expired, and the operator renews nothing while spec.pausedUntil is set; remove the field.")
              .formatted(expired.get()));
    }
    String last = observed.controlPlane().names().componentSecret(ControlPlaneNames.SCHEDULER);
    return pki.secrets().contains(last)
        ? Verdict.yes(
            Reason.AsExpected,
            "Every certificate is valid. The operator renews leaf certificates automatically."
                + pki.takenOver()
                    .map(
                        before ->
                            " "
                                + Retention.takenOver(
                                    observed.controlPlane().asked(), before.uid()))
                    .orElse(""))
        : Verdict.no(
            Reason.Creating,
            "The operator issues certificates when the addresses are known." + Patience.NO_ACTION);
  }

  private static Optional<String> expired(PkiResult pki, Instant now) {
    return pki.certificates().stream()
        .filter(c -> c.notAfter() != null && Instant.parse(c.notAfter()).isBefore(now))
        .map(Certificate::name)
        .findFirst();
  }
}
