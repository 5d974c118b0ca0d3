// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.status.Verdict;

/** Whether a kube-apiserver is ready. Pure. */
public final class APIServerAvailableCondition {
  private APIServerAvailableCondition() {}

  /**
   * From what was seen.
   *
   * @param wasMet whether one was ready before
   */
  public static Verdict of(Observed observed, boolean wasMet) {
    return ComponentPods.of(observed, ControlPlaneNames.API_SERVER, wasMet);
  }
}
