// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.status.Verdict;

/** Whether the operator carries out changes of a pool, unless a write is refused. Pure. */
public final class ReconciliationActiveCondition {
  private ReconciliationActiveCondition() {}

  /** From what the spec asks for. */
  public static Verdict of(SchedulerPool pool, boolean paused) {
    return paused
        ? Verdict.no(
            Reason.Paused,
            "spec.pausedUntil is %s. Until then the operator changes nothing; remove the field to continue."
                .formatted(pool.getSpec().pausedUntil()))
        : Verdict.yes(Reason.AsExpected, "The operator applies changes.");
  }
}
