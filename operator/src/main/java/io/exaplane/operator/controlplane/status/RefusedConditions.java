// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import java.util.List;

/** What a control plane's conditions say when objects of its own were refused. Pure. */
final class RefusedConditions {
  private static final String REFUSED =
      "an object is refused; see ReconciliationActive for the refusing side and the next action";

  private RefusedConditions() {}

  /** Set after all others. */
  static void report(ConditionSet conditions, ControlPlane controlPlane, List<Refusal> refusals) {
    RefusedWrites.report(
        conditions,
        ConditionType.ReconciliationActive,
        controlPlane.getMetadata().getGeneration(),
        refusals);
    if (refusals.stream().allMatch(Refusal::passes)) {
      return;
    }
    boolean degraded = conditions.isTrue(ConditionType.Degraded);
    conditions.set(
        ConditionType.Degraded,
        true,
        degraded
            ? conditions
                .current(ConditionType.Degraded)
                .map(Condition::reason)
                .map(Reason::valueOf)
                .orElseThrow()
            : Reason.WriteRefused,
        degraded
            ? REFUSED
                + "; "
                + conditions.current(ConditionType.Degraded).map(Condition::message).orElseThrow()
            : Character.toUpperCase(REFUSED.charAt(0)) + REFUSED.substring(1) + ".");
  }
}
