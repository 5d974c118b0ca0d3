// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.Verdict;

/** Whether the operator still replaces pods of every component. Pure. */
public final class RestartBudgetAvailableCondition {
  private RestartBudgetAvailableCondition() {}

  /** By what was decided. */
  public static Verdict of(ControlPlane controlPlane, RestartPlan plan) {
    return plan.verdict(RestartPlan.release("controlplane", controlPlane));
  }
}
