// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;

/** Whether no node of a pool has an older kubelet than the pool. Pure. */
public final class NodesUpToDateCondition {
  private NodesUpToDateCondition() {}

  /** Of a pool that asks for upgrades. */
  public static Verdict of(UpgradePlan plan) {
    if (plan.registered() == 0) {
      return Verdict.yes(Reason.NoNodes, "No node has joined yet.");
    }
    String count =
        "%d of %d nodes have version %s or a newer one."
                .formatted(plan.updated(), plan.registered(), plan.version())
            + (plan.moving() == 0
                ? ""
                : " The hosts of %d have another prefix, and get other Nodes."
                    .formatted(plan.moving()));
    if (plan.hold().isPresent()) {
      UpgradePlan.Hold hold = plan.hold().get();
      return Verdict.no(hold.reason(), count + " No other node is drained now. " + hold.message());
    }
    if (!plan.going().isEmpty()) {
      UpgradePlan.Going first = plan.going().getFirst();
      return Verdict.no(
          Reason.NodesUpgrading,
          "%s %d are being upgraded, first %s, which is %s since %s.%s"
              .formatted(
                  count,
                  plan.going().size(),
                  first.node(),
                  first.turn().phase(),
                  first.turn().since(),
                  Patience.NO_ACTION));
    }
    if (plan.outdated() == 0 && plan.moving() == 0) {
      return Verdict.yes(Reason.AsExpected, count);
    }
    return plan.moving() == 0 && plan.outdated() == plan.unreachable()
        ? Verdict.no(
            Reason.NodesNotReady,
            "%s The others are not Ready, so the operator does not drain them. Check these nodes, or delete them."
                .formatted(count))
        : Verdict.no(
            Reason.NodesUpgrading,
            count + " The next nodes are cordoned when there is room." + Patience.NO_ACTION);
  }
}
