// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Why the spec of a pool cannot be carried out. Pure. */
public final class PoolRules {
  /** A kubelet renews after a quarter of the duration; five renewals must fit. */
  private static final double GRACE_OF_LEASE = 1.25;

  private static final List<Function<PoolContext, Optional<Problem>>> RULES =
      List.of(
          PoolRules::nodes,
          VersionSkew::problem,
          AddressRules::problem,
          PoolLabels::problem,
          PoolRules::lease);

  private PoolRules() {}

  /** The first rule that the pool breaks. */
  public static Optional<Problem> broken(PoolContext context) {
    return RULES.stream().flatMap(rule -> rule.apply(context).stream()).findFirst();
  }

  /** The pools together, the oldest first, have room in the control plane's size. */
  private static Optional<Problem> nodes(PoolContext context) {
    long own = context.pool().getSpec().maxNodes();
    long all = own + context.elders().stream().mapToLong(pool -> pool.getSpec().maxNodes()).sum();
    long most = context.controlPlane().getSpec().maxNodes();
    return all <= most
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Reason.NodesExceeded,
                "spec.maxNodes %d: together with the older NodePools of ControlPlane %s this is %d nodes, but spec.maxNodes of the ControlPlane is %d. Lower the value, or raise spec.maxNodes of the ControlPlane.",
                own,
                context.controlPlaneName(),
                all,
                most));
  }

  /** A node that renews its Lease as it was told must not be taken for dead. */
  private static Optional<Problem> lease(PoolContext context) {
    Integer seconds = NodeKubeletSpec.of(context.pool().getSpec().kubelet()).leaseDurationSeconds();
    if (seconds == null || context.graceSeconds().isEmpty()) {
      return Optional.empty();
    }
    long grace = context.graceSeconds().getAsLong();
    return seconds * GRACE_OF_LEASE <= grace
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Reason.LeaseTooLong,
                "spec.kubelet.leaseDurationSeconds %d: kube-controller-manager declares a node dead after %d s, and this must be at least 1.25 times the duration. Set at most %d, or raise node-monitor-grace-period in spec.controllerManager.extraArgs of ControlPlane %s.",
                seconds,
                grace,
                (long) (grace / GRACE_OF_LEASE),
                context.controlPlaneName()));
  }
}
