// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.Verdict;
import io.exaplane.tuning.model.PoolSize;
import java.util.Optional;

/** Whether a pool has as many shards as its cluster's nodes ask for. Pure. */
public final class SizingValidCondition {
  private SizingValidCondition() {}

  /** From what was seen; empty when the cluster is not known. */
  public static Optional<Verdict> of(PoolObserved observed) {
    return observed.target().map(target -> of(observed, target.nodes()));
  }

  private static Verdict of(PoolObserved observed, long nodes) {
    int shards = Tier.SHARD.replicas(observed.pool().getSpec());
    int advised = PoolSize.of(nodes, 0, shards).advisedShards();
    return shards >= advised
        ? Verdict.yes(Reason.AsExpected, "The number of shards fits %d nodes.".formatted(nodes))
        : Verdict.no(
            Reason.FewShards,
            "%d nodes need %d shards, one for each 50,000, so that new kinds of pods do not wait for a search of all nodes; raise spec.shards.replicas."
                .formatted(nodes, advised));
  }
}
