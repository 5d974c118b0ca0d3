// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.Verdict;

/** Whether the operator carries out changes of a store, unless a write is refused. Pure. */
public final class ReconciliationActiveCondition {
  private ReconciliationActiveCondition() {}

  /** Nobody can pause a store alone. */
  public static Verdict of() {
    return Verdict.yes(Reason.AsExpected, "The operator applies changes.");
  }
}
