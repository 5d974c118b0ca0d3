// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.KubernetesStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A pool's conditions for tools that know any Kind. Pure. */
final class PoolToolConditions {
  private static final KubernetesStatus.Types TYPES =
      new KubernetesStatus.Types(
          NodePoolCondition.Ready, NodePoolCondition.Reconciling, NodePoolCondition.Stalled);

  /** What passes by itself: nobody has to act. */
  private static final List<Reason> TO_COME =
      List.of(
          Reason.WaitingForControlPlane,
          Reason.WaitingForCertificates,
          Reason.WaitingForAPIServer,
          Reason.Creating,
          Reason.NodesJoining,
          Reason.AgentsWaiting,
          Reason.AgentsRestarting);

  private static final KubernetesStatus.Sources SOURCES =
      new KubernetesStatus.Sources(
          List.of(
              NodePoolCondition.ConfigurationValid,
              NodePoolCondition.JoinMaterialReady,
              NodePoolCondition.AddressesAssigned,
              NodePoolCondition.NodesReady,
              NodePoolCondition.AgentPolicyInForce,
              NodePoolCondition.AgentsUpToDate),
          PoolToolConditions::going,
          List.of(NodePoolCondition.ConfigurationValid, NodePoolCondition.JoinMaterialReady),
          Stream.concat(TO_COME.stream(), Stream.of(Reason.Paused, Reason.ReconcileFailed))
              .toList());

  private PoolToolConditions() {}

  /** Set after all others. */
  static void derive(ConditionSet conditions) {
    KubernetesStatus.derive(conditions, TYPES, SOURCES);
  }

  private static Optional<Condition> going(ConditionSet conditions) {
    return Stream.of(
            NodePoolCondition.JoinMaterialReady,
            NodePoolCondition.NodesReady,
            NodePoolCondition.AgentsUpToDate)
        .flatMap(type -> conditions.current(type).stream())
        .filter(condition -> condition.status().equals(Condition.FALSE))
        .filter(
            condition ->
                TO_COME.stream().anyMatch(reason -> reason.name().equals(condition.reason())))
        .findFirst();
  }
}
