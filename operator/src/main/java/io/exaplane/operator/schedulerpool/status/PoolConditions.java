// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import static io.exaplane.api.v1alpha1.PoolCondition.Available;
import static io.exaplane.api.v1alpha1.PoolCondition.ConfigurationValid;
import static io.exaplane.api.v1alpha1.PoolCondition.Degraded;
import static io.exaplane.api.v1alpha1.PoolCondition.FallbackInactive;
import static io.exaplane.api.v1alpha1.PoolCondition.LeaseHeld;
import static io.exaplane.api.v1alpha1.PoolCondition.OperatorUpdatePending;
import static io.exaplane.api.v1alpha1.PoolCondition.Progressing;
import static io.exaplane.api.v1alpha1.PoolCondition.ReconciliationActive;
import static io.exaplane.api.v1alpha1.PoolCondition.SizingValid;
import static io.exaplane.api.v1alpha1.PoolCondition.TreeFormed;
import static io.exaplane.api.v1alpha1.PoolCondition.UpToDate;

import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.schedulerpool.condition.AvailableCondition;
import io.exaplane.operator.schedulerpool.condition.ConfigurationValidCondition;
import io.exaplane.operator.schedulerpool.condition.DegradedCondition;
import io.exaplane.operator.schedulerpool.condition.FallbackInactiveCondition;
import io.exaplane.operator.schedulerpool.condition.InCharge;
import io.exaplane.operator.schedulerpool.condition.LeaseHeldCondition;
import io.exaplane.operator.schedulerpool.condition.OperatorUpdatePendingCondition;
import io.exaplane.operator.schedulerpool.condition.ProgressingCondition;
import io.exaplane.operator.schedulerpool.condition.ReconciliationActiveCondition;
import io.exaplane.operator.schedulerpool.condition.SizingValidCondition;
import io.exaplane.operator.schedulerpool.condition.TreeFormedCondition;
import io.exaplane.operator.schedulerpool.condition.UpToDateCondition;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.ConditionSet;

/** Sets a pool's conditions, in the order in which they are told. */
final class PoolConditions {
  private PoolConditions() {}

  /**
   * Sets all that follow from what was observed.
   *
   * @param newestImage what this operator's pods would run
   * @param update what this operator would change
   */
  static void report(
      ConditionSet conditions,
      PoolObserved observed,
      InCharge charge,
      boolean paused,
      String newestImage,
      Update update) {
    boolean wasAvailable = conditions.wasMet(Available, AvailableCondition.LOSSES);
    conditions
        .setOrKeep(
            Available,
            AvailableCondition.of(observed, charge, isKnown(conditions, Available), wasAvailable))
        .set(Progressing, ProgressingCondition.of(observed, wasAvailable))
        .set(ConfigurationValid, ConfigurationValidCondition.of(observed))
        .setOrKeep(SizingValid, SizingValidCondition.of(observed))
        .setOrKeep(
            LeaseHeld, LeaseHeldCondition.of(observed, charge, isKnown(conditions, LeaseHeld)))
        .setOrKeep(
            TreeFormed, TreeFormedCondition.of(observed, charge, isKnown(conditions, TreeFormed)))
        .set(FallbackInactive, FallbackInactiveCondition.of(observed))
        .setOrKeep(UpToDate, UpToDateCondition.of(observed, newestImage))
        .set(OperatorUpdatePending, OperatorUpdatePendingCondition.of(update))
        .set(
            Degraded,
            DegradedCondition.of(
                observed, conditions.isFalse(TreeFormed), conditions.isTrue(Available)))
        .set(ReconciliationActive, ReconciliationActiveCondition.of(observed.pool(), paused));
  }

  private static boolean isKnown(ConditionSet conditions, PoolCondition type) {
    return conditions.previous(type).isPresent();
  }
}
