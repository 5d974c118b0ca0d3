// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static io.exaplane.api.v1alpha1.ConditionType.SchedulerAvailable;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.status.ConditionSet;
import java.util.Optional;

/** What a SchedulerPool means for the condition SchedulerAvailable. */
final class SchedulerCondition {
  private final ConditionSet conditions;
  private final Scheduling scheduling;

  SchedulerCondition(ConditionSet conditions, Scheduling scheduling) {
    this.conditions = conditions;
    this.scheduling = scheduling;
  }

  /** The pool has taken kube-scheduler's place: it is as the pool says. */
  void ofPool() {
    Optional<Condition> available = scheduling.available();
    boolean serves = available.filter(c -> c.status().equals(Condition.TRUE)).isPresent();
    conditions.set(
        SchedulerAvailable,
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

  /** kube-scheduler does it until then, as far as it does; nothing where no pool is awaited. */
  void awaitPool() {
    Optional<String> awaited = scheduling.awaited();
    boolean serves = conditions.isTrue(SchedulerAvailable);
    awaited.ifPresent(
        why ->
            conditions.set(
                SchedulerAvailable,
                serves,
                Reason.WaitingForPool,
                (serves ? "kube-scheduler places pods meanwhile. " : "") + why));
  }
}
