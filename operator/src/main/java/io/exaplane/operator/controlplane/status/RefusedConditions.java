// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.condition.DegradedCondition;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import java.util.List;

/** Which of a control plane's conditions change when objects of its own were refused. Pure. */
final class RefusedConditions {
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
    conditions.set(
        ConditionType.Degraded,
        DegradedCondition.refused(conditions.current(ConditionType.Degraded)));
  }
}
