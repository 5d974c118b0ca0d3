// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.Verdict;

/** Whether the operator still replaces the pod of the store. Pure. */
public final class RestartBudgetAvailableCondition {
  private RestartBudgetAvailableCondition() {}

  /** By what was decided. */
  public static Verdict of(StoreShard shard, RestartPlan plan) {
    return plan.verdict(RestartPlan.release("storeshard", shard));
  }
}
