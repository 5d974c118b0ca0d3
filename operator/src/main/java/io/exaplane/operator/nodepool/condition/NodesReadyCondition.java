// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;

/** Whether all nodes that joined a pool are Ready. Pure. */
public final class NodesReadyCondition {
  private NodesReadyCondition() {}

  /**
   * Of nodes that nobody sees.
   *
   * @param summary how many were Ready of how many
   */
  public static Verdict unseen(String summary, String controlPlane) {
    return Verdict.unknown(
        Reason.WaitingForAPIServer,
        "The state of the nodes is unknown while the API does not answer; %s were Ready before. See Available of ControlPlane %s."
            .formatted(summary, controlPlane));
  }

  /**
   * From what was counted.
   *
   * @param maxNodes of the pool's spec
   */
  public static Verdict of(NodeCounts counts, int maxNodes) {
    if (counts.registered() == 0) {
      return Verdict.yes(
          Reason.NoNodes,
          "No node has joined yet. When JoinMaterialReady is True, run 'join.sh' of the Secret in status.joinSecretRef on a host.");
    }
    if (counts.registered() > maxNodes) {
      return Verdict.no(
          Reason.TooManyNodes,
          "spec.maxNodes %d: %d nodes have joined. Raise spec.maxNodes, or remove hosts and delete their Nodes."
              .formatted(maxNodes, counts.registered()));
    }
    if (counts.failed() > 0) {
      return Verdict.no(
          Reason.NodesNotReady,
          "%d of %d nodes are Ready, %d are joining, and %d need an action. %s"
              .formatted(
                  counts.ready(),
                  counts.registered(),
                  counts.joining(),
                  counts.failed(),
                  FirstFailures.text(counts.failures(), counts.failed())));
    }
    return counts.joining() > 0
        ? Verdict.no(
            Reason.NodesJoining,
            "%d of %d nodes are Ready, and %d are joining.%s"
                .formatted(
                    counts.ready(), counts.registered(), counts.joining(), Patience.NO_ACTION))
        : Verdict.yes(Reason.AsExpected, "All %d nodes are Ready.".formatted(counts.ready()));
  }
}
