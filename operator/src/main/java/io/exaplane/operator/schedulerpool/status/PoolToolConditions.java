// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.KubernetesStatus;
import java.util.List;

/** A pool's conditions for tools that know any Kind. Pure. */
final class PoolToolConditions {
  private static final KubernetesStatus.Types TYPES =
      new KubernetesStatus.Types(
          PoolCondition.Ready, PoolCondition.Reconciling, PoolCondition.Stalled);

  private static final KubernetesStatus.Sources SOURCES =
      new KubernetesStatus.Sources(
          List.of(PoolCondition.Available, PoolCondition.ConfigurationValid),
          KubernetesStatus.whileTrue(PoolCondition.Progressing),
          List.of(PoolCondition.ConfigurationValid, PoolCondition.ReconciliationActive),
          List.of(Reason.Paused, Reason.ReconcileFailed));

  private PoolToolConditions() {}

  /** Set after all others. */
  static void derive(ConditionSet conditions) {
    KubernetesStatus.derive(conditions, TYPES, SOURCES);
  }
}
