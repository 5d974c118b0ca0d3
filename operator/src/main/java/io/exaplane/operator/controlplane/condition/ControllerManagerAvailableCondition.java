// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.status.Verdict;

/** Whether a kube-controller-manager is ready, and holds its Lease. Pure. */
public final class ControllerManagerAvailableCondition {
  private ControllerManagerAvailableCondition() {}

  /**
   * From the pods that were seen.
   *
   * @param wasMet whether one was ready before
   */
  public static Verdict of(Observed observed, boolean wasMet) {
    return ComponentPods.of(observed, ControlPlaneNames.CONTROLLER_MANAGER, wasMet);
  }

  /** Of ready pods of which none holds the Lease. */
  public static Verdict nobodyInCharge(Observed observed, Leaders leaders) {
    return ComponentPods.nobodyInCharge(
        observed,
        ControlPlaneNames.CONTROLLER_MANAGER,
        ConditionType.ControllerManagerAvailable,
        leaders);
  }
}
