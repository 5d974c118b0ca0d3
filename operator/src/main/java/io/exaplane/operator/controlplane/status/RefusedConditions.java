// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.condition.ComponentTrouble;
import io.exaplane.operator.controlplane.condition.DegradedCondition;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import java.util.List;
import java.util.Map;

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
    awaited(new ControlPlaneNames(controlPlane))
        .forEach((type, object) -> tellOf(conditions, type, object, refusals));
    conditions.set(
        ConditionType.Degraded,
        DegradedCondition.refused(conditions.current(ConditionType.Degraded)));
  }

  /** Conditions that say that the operator creates an object, and the object. */
  private static Map<ConditionType, String> awaited(ControlPlaneNames names) {
    return Map.of(
        ConditionType.EndpointReady,
        "Service " + names.component(ControlPlaneNames.API_SERVER),
        ConditionType.APIServerAvailable,
        "Deployment " + names.component(ControlPlaneNames.API_SERVER),
        ConditionType.ControllerManagerAvailable,
        "Deployment " + names.component(ControlPlaneNames.CONTROLLER_MANAGER),
        ConditionType.SchedulerAvailable,
        "Deployment " + names.component(ControlPlaneNames.SCHEDULER));
  }

  /** What the operator does not create, since somebody refuses it, does not come by itself. */
  private static void tellOf(
      ConditionSet conditions, ConditionType type, String object, List<Refusal> refusals) {
    boolean isAwaited =
        conditions
            .current(type)
            .filter(told -> told.reason().equals(Reason.Creating.name()))
            .isPresent();
    if (isAwaited) {
      refusals.stream()
          .filter(refusal -> !refusal.passes() && refusal.object().equals(object))
          .findFirst()
          .ifPresent(refusal -> conditions.set(type, ComponentTrouble.refused(refusal)));
    }
  }
}
