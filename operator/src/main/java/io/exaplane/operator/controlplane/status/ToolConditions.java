// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.KubernetesStatus;
import java.util.List;

/** A control plane's conditions for tools that know any Kind. Pure. */
final class ToolConditions {
  private static final KubernetesStatus.Types TYPES =
      new KubernetesStatus.Types(
          ConditionType.Ready, ConditionType.Reconciling, ConditionType.Stalled);

  private static final KubernetesStatus.Sources SOURCES =
      new KubernetesStatus.Sources(
          List.of(
              ConditionType.Available,
              ConditionType.ConfigurationValid,
              ConditionType.ControllerManagerAvailable,
              ConditionType.SchedulerAvailable),
          KubernetesStatus.whileTrue(ConditionType.Progressing),
          List.of(
              ConditionType.ConfigurationValid,
              ConditionType.StoreDataAvailable,
              ConditionType.CertificatesValid,
              ConditionType.ReconciliationActive,
              // A rollout that stopped; without one the reason is AsExpected.
              ConditionType.Progressing),
          List.of(
              Reason.AsExpected,
              Reason.Creating,
              Reason.Paused,
              Reason.ReconcileFailed,
              Reason.WaitingForCertificates));

  private ToolConditions() {}

  /** Set after all others. */
  static void derive(ConditionSet conditions) {
    KubernetesStatus.derive(conditions, TYPES, SOURCES);
  }
}
