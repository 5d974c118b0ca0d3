// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeCounts.Failure;
import io.exaplane.operator.status.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Whether each node of a pool has the prefix for pods that its host asked for. Pure. */
public final class AddressesAssignedCondition {
  /** Nodes that have no prefix, and of which nobody refused one. */
  private static final Set<Reason> LACKING = EnumSet.of(Reason.PrefixMissing, Reason.WriteRefused);

  private AddressesAssignedCondition() {}

  /** Of a pool whose hosts bring prefixes. */
  public static Verdict of(NodeCounts counts) {
    if (counts.prefixesInConflict() > 0) {
      Failure first = counts.conflicts().getFirst();
      return Verdict.no(
          first.reason(),
          "%d of %d nodes have no prefix that works. %s"
              .formatted(
                  counts.prefixesInConflict(),
                  counts.registered(),
                  FirstFailures.text(counts.conflicts(), counts.prefixesInConflict())));
    }
    List<Failure> lacking =
        counts.failures().stream().filter(failure -> LACKING.contains(failure.reason())).toList();
    if (!lacking.isEmpty()) {
      return Verdict.no(
          lacking.getFirst().reason(),
          "Nodes have no prefix. " + FirstFailures.text(lacking, lacking.size()));
    }
    if (counts.registered() == 0) {
      return Verdict.yes(Reason.NoNodes, "No node has joined yet.");
    }
    int open = counts.registered() - counts.prefixesUsed();
    return Verdict.yes(
        Reason.AsExpected,
        open == 0
            ? "Each node has the prefix that its host asked for."
            : "%d of %d nodes have the prefix that their hosts asked for; the others are joining."
                .formatted(counts.prefixesUsed(), counts.registered()));
  }
}
