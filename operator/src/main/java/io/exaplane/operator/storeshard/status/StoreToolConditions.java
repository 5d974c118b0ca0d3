// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.KubernetesStatus;
import java.util.List;

/** A store's conditions for tools that know any Kind; Ready is its own. Pure. */
final class StoreToolConditions {
  private static final KubernetesStatus.Types TYPES =
      new KubernetesStatus.Types(
          StoreCondition.Ready, StoreCondition.Reconciling, StoreCondition.Stalled);

  private static final KubernetesStatus.Sources SOURCES =
      new KubernetesStatus.Sources(
          List.of(),
          conditions ->
              KubernetesStatus.whileFalse(StoreCondition.Ready)
                  .apply(conditions)
                  .or(
                      () ->
                          KubernetesStatus.whileFalse(StoreCondition.VolumeSized)
                              .apply(conditions)),
          List.of(
              StoreCondition.Ready,
              StoreCondition.ConfigurationValid,
              StoreCondition.ReconciliationActive,
              StoreCondition.VolumeSized),
          List.of(
              Reason.AsExpected,
              Reason.Starting,
              Reason.Creating,
              Reason.Unavailable,
              Reason.StoreUnavailable,
              Reason.TLSSecretMissing,
              Reason.VolumeGrowing,
              Reason.ReconcileFailed));

  private StoreToolConditions() {}

  /** Set after all others. */
  static void derive(ConditionSet conditions) {
    KubernetesStatus.derive(conditions, TYPES, SOURCES);
  }
}
