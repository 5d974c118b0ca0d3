// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.ConditionSet;
import java.time.Clock;
import java.util.List;

/**
 * A control plane's status while nothing new is known of it but one thing: it is paused, it is
 * being removed, or the last look failed. All else stays as it was.
 *
 * @param status the whole status
 * @param changes the conditions that changed
 */
public record LifecycleStatus(ControlPlaneStatus status, List<Condition> changes) {

  /** The last look failed and is tried again. */
  public static LifecycleStatus failed(ControlPlane controlPlane, Exception failure, Clock clock) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return of(
        controlPlane,
        clock,
        ConditionType.ReconciliationActive,
        false,
        Reason.ReconcileFailed,
        "The last attempt failed and is repeated within a minute: %s. The administrator looks at the operator's log if it stays."
            .formatted(cause.getMessage()));
  }

  /** The control plane is being removed. */
  public static LifecycleStatus removing(
      ControlPlane controlPlane, List<String> left, Clock clock) {
    return of(
        controlPlane,
        clock,
        ConditionType.Deleting,
        true,
        Reason.Removing,
        "Waiting for %s to be gone. No action is needed.".formatted(String.join(", ", left)));
  }

  private static LifecycleStatus of(
      ControlPlane controlPlane,
      Clock clock,
      ConditionType type,
      boolean value,
      Reason reason,
      String message) {
    ControlPlaneStatus before = controlPlane.getStatus();
    ConditionSet conditions =
        new ConditionSet(
            before == null ? null : before.conditions(),
            controlPlane.getMetadata().getGeneration(),
            clock);
    conditions.set(type, value, reason, message);
    conditions.limitPatience(
        ConditionSet::since,
        _ -> "see what 'kubectl describe' says of these objects, of their finalizers and Events");
    for (ConditionType each : ConditionType.values()) {
      if (each != type) {
        conditions.keep(each);
      }
    }
    ControlPlaneStatus status =
        before == null
            ? new ControlPlaneStatus(
                controlPlane.getMetadata().getGeneration(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                conditions.build())
            : new ControlPlaneStatus(
                before.observedGeneration(),
                before.version(),
                before.endpoint(),
                before.service(),
                before.kubeconfigSecretRef(),
                before.apiServer(),
                before.controllerManager(),
                before.scheduler(),
                before.stores(),
                before.certificates(),
                before.sizing(),
                conditions.build());
    return new LifecycleStatus(status, conditions.changes());
  }
}
