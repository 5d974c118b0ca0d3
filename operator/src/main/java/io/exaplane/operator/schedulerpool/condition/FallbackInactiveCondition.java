// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.Verdict;

/** Whether no kube-scheduler stands in for the pool. Pure. */
public final class FallbackInactiveCondition {
  private FallbackInactiveCondition() {}

  /** From what was seen. */
  public static Verdict of(PoolObserved observed) {
    return observed.fallback().isPresent()
        ? Verdict.no(
            Reason.FallbackInCharge,
            "A kube-scheduler, %s, stands in. The operator removes it when a root of the pool is ready; see Available."
                .formatted(new PoolNames(observed.pool()).fallback()))
        : Verdict.yes(Reason.AsExpected, "No kube-scheduler stands in.");
  }
}
