// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;

/** Whether every store runs this operator's image. Pure. */
public final class StoresUpToDateCondition {
  private StoresUpToDateCondition() {}

  /** From what the StoreShards say. */
  public static Verdict of(List<StoreShard> shards) {
    List<String> old =
        shards.stream()
            .filter(
                shard ->
                    ShardStates.condition(shard, StoreCondition.UpToDate)
                        .filter(condition -> condition.status().equals(Condition.FALSE))
                        .isPresent())
            .map(shard -> shard.getMetadata().getName())
            .toList();
    return old.isEmpty()
        ? Verdict.yes(Reason.AsExpected, "Every store runs this operator's image.")
        : Verdict.no(
            Reason.OperatorUpdatePending,
            "%s: the image is older than this operator's. To replace the pods of the stores one after another, set spec.rollout.bundle to the bundle that OperatorUpdatePending names. The data remains; each store takes no writes for some seconds."
                .formatted(String.join(", ", old)));
  }
}
