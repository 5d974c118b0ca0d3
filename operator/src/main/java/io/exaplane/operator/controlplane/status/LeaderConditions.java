// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.status.ConditionSet;
import java.util.ArrayList;
import java.util.List;

/**
 * What a control plane's conditions say when nobody leads inside the hosted cluster: pods that are
 * ready do nothing then. Pure.
 */
final class LeaderConditions {
  private LeaderConditions() {}

  /** Set after those of components, which know of pods alone. */
  static void report(ConditionSet conditions, Observed observed, Leaders leaders) {
    List<String> idle = new ArrayList<>();
    if (!leaders.controllerManager()) {
      nobody(
          conditions,
          observed,
          ConditionType.ControllerManagerAvailable,
          ControlPlaneNames.CONTROLLER_MANAGER,
          leaders,
          idle);
    }
    if (!leaders.scheduler() && !observed.scheduling().handedOver()) {
      nobody(
          conditions,
          observed,
          ConditionType.SchedulerAvailable,
          ControlPlaneNames.SCHEDULER,
          leaders,
          idle);
    }
    if (idle.isEmpty()) {
      return;
    }
    degraded(conditions, "no pod holds the Lease of " + String.join(" and ", idle));
    if (leaders.refusesWrites() && conditions.isTrue(ConditionType.Available)) {
      conditions.set(
          ConditionType.Available,
          false,
          Reason.NobodyInCharge,
          "The API answers, and refuses writes. In the hosted cluster: " + leaders.writeProblem());
    }
  }

  private static void nobody(
      ConditionSet conditions,
      Observed observed,
      ConditionType type,
      String component,
      Leaders leaders,
      List<String> idle) {
    if (!conditions.isTrue(type)) {
      return;
    }
    String lease = "kube-" + component;
    idle.add(lease);
    String deployment = observed.controlPlane().names().component(component);
    conditions.set(
        type,
        false,
        Reason.NobodyInCharge,
        "Pods of %s are ready, but none of them holds the Lease kube-system/%s in the hosted cluster, so the component does no work. %s"
            .formatted(
                deployment,
                lease,
                leaders.refusesWrites()
                    ? "In the hosted cluster: " + leaders.writeProblem()
                    : "See 'kubectl -n %s logs deployment/%s'."
                        .formatted(observed.controlPlane().namespace(), deployment)));
  }

  private static void degraded(ConditionSet conditions, String what) {
    boolean more = conditions.isTrue(ConditionType.Degraded);
    String before = conditions.current(ConditionType.Degraded).map(Condition::message).orElse("");
    conditions.set(
        ConditionType.Degraded,
        true,
        Reason.NobodyInCharge,
        more
            ? what + "; " + before
            : Character.toUpperCase(what.charAt(0))
                + what.substring(1)
                + ". See ControllerManagerAvailable and SchedulerAvailable for the next action.");
  }
}
