// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.status.Verdict;

/** Whether the operator carries out changes, unless a write is refused. Pure. */
public final class ReconciliationActiveCondition {
  private ReconciliationActiveCondition() {}

  /** From what the spec asks for. */
  public static Verdict of(Observed observed, boolean paused) {
    return paused
        ? Verdict.no(
            Reason.Paused,
            "spec.pausedUntil is %s. Until then the operator changes nothing and renews no certificate; remove the field to continue."
                .formatted(observed.controlPlane().spec().pausedUntil()))
        : Verdict.yes(Reason.AsExpected, "The operator applies changes.");
  }
}
