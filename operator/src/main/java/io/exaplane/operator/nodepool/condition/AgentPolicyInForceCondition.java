// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.exaplane.operator.status.Verdict;

/** Whether the policy about DaemonSets is in force in the hosted cluster. Pure. */
public final class AgentPolicyInForceCondition {
  private AgentPolicyInForceCondition() {}

  /**
   * From what came of the last write.
   *
   * @param policy of all pools of the ControlPlane
   * @param problem why it is not in force; "" if it is
   */
  public static Verdict of(Policy policy, String problem) {
    if (!problem.isEmpty()) {
      return Verdict.no(
          Reason.WriteRefused, "The policy about DaemonSets is not in force. " + problem);
    }
    String whose =
        policy.pools().size() == 1
            ? ""
            : " It is the strictest mode of the NodePools %s, with the smallest share and all exemptions."
                .formatted(String.join(", ", policy.pools()));
    return Verdict.yes(
        Reason.AsExpected,
        "The mode is %s, the share is %d %%, and %d DaemonSets are exempt.%s"
            .formatted(policy.mode(), policy.percent(), policy.exempt().size(), whose));
  }
}
