// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.operator.controlplane.condition.AvailableCondition;
import io.exaplane.operator.controlplane.condition.ControllerManagerAvailableCondition;
import io.exaplane.operator.controlplane.condition.DegradedCondition;
import io.exaplane.operator.controlplane.condition.SchedulerAvailableCondition;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.status.ConditionSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Which of a control plane's conditions change when nobody leads inside the hosted cluster: pods
 * that are ready do nothing then. Pure.
 */
final class LeaderConditions {
  private LeaderConditions() {}

  /** Set after those of components, which know of pods alone. */
  static void report(ConditionSet conditions, Observed observed, Leaders leaders) {
    List<String> idle = new ArrayList<>();
    if (!leaders.controllerManager()
        && conditions.isTrue(ConditionType.ControllerManagerAvailable)) {
      idle.add("kube-" + ControlPlaneNames.CONTROLLER_MANAGER);
      conditions.set(
          ConditionType.ControllerManagerAvailable,
          ControllerManagerAvailableCondition.nobodyInCharge(observed, leaders));
    }
    if (!leaders.scheduler()
        && !observed.scheduling().handedOver()
        && conditions.isTrue(ConditionType.SchedulerAvailable)) {
      idle.add("kube-" + ControlPlaneNames.SCHEDULER);
      conditions.set(
          ConditionType.SchedulerAvailable,
          SchedulerAvailableCondition.nobodyInCharge(observed, leaders));
    }
    if (idle.isEmpty()) {
      return;
    }
    conditions.set(
        ConditionType.Degraded,
        DegradedCondition.nobodyInCharge(conditions.current(ConditionType.Degraded), idle));
    if (leaders.refusesWrites() && conditions.isTrue(ConditionType.Available)) {
      conditions.set(ConditionType.Available, AvailableCondition.nobodyInCharge(leaders));
    }
  }
}
