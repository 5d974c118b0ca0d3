// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether somebody places pods: kube-scheduler, or the SchedulerPool that took its place. Pure. */
public final class SchedulerAvailableCondition {
  private SchedulerAvailableCondition() {}

  /**
   * From what was seen.
   *
   * @param wasMet whether somebody did before
   */
  public static Verdict of(Observed observed, boolean wasMet) {
    if (observed.scheduling().handedOver()) {
      return ofPool(observed.scheduling());
    }
    Verdict own = ComponentPods.of(observed, ControlPlaneNames.SCHEDULER, wasMet);
    // kube-scheduler does it until the pool takes over, as far as it does.
    return observed
        .scheduling()
        .awaited()
        .map(
            why ->
                Verdict.of(
                    own.met(),
                    Reason.WaitingForPool,
                    (own.met() ? "kube-scheduler places pods meanwhile. " : "") + why))
        .orElse(own);
  }

  /** Of ready pods of kube-scheduler of which none holds the Lease. */
  public static Verdict nobodyInCharge(Observed observed, Leaders leaders) {
    return ComponentPods.nobodyInCharge(
        observed, ControlPlaneNames.SCHEDULER, ConditionType.SchedulerAvailable, leaders);
  }

  /** The pool has taken kube-scheduler's place: it is as the pool says. */
  private static Verdict ofPool(Scheduling scheduling) {
    Optional<Condition> available = scheduling.available();
    boolean serves = available.filter(c -> c.status().equals(Condition.TRUE)).isPresent();
    return Verdict.of(
        serves,
        serves ? Reason.PoolInCharge : Reason.PoolUnavailable,
        "SchedulerPool %s: %s"
            .formatted(
                scheduling.poolName().orElseThrow(),
                available
                    .map(Condition::message)
                    .orElse(
                        "the pool does not exist, or is not for this ControlPlane and"
                            + " default-scheduler. Create the pool, or set spec.scheduling.mode to"
                            + " Default.")));
  }
}
