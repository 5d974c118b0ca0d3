// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.exaplane.operator.status.Verdict;

/** Whether Nodes of hosts that are gone are deleted. Pure. */
public final class NodesRepairedCondition {
  private NodesRepairedCondition() {}

  /** Of a pool that asks for repair. */
  public static Verdict of(RepairPlan plan) {
    if (plan.hold().isPresent()) {
      return Verdict.no(Reason.RepairHeld, "No Node is deleted: " + plan.hold().get());
    }
    if (!plan.due().isEmpty()) {
      return Verdict.yes(
          Reason.AsExpected,
          "Nodes that are silent for too long are deleted when their Leases do not change for %d s: %s."
              .formatted(
                  RepairPlan.STILL.toSeconds(),
                  String.join(", ", plan.due().stream().map(node -> node.name()).toList())));
    }
    return Verdict.yes(
        Reason.AsExpected,
        plan.next()
            .map(
                "A node is silent. The operator deletes its Node after %s, unless it comes back."
                    ::formatted)
            .orElse("No node is silent."));
  }
}
