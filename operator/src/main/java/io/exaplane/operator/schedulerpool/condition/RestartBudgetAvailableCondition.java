// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.Verdict;

/** Whether the operator still replaces pods of every tier. Pure. */
public final class RestartBudgetAvailableCondition {
  private RestartBudgetAvailableCondition() {}

  /** By what was decided. */
  public static Verdict of(SchedulerPool pool, RestartPlan plan) {
    return plan.verdict(RestartPlan.release("schedulerpool", pool));
  }
}
