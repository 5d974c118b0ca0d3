// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.stream.Collectors;

/** Whether this operator would make other pods than those that run. Pure. */
public final class OperatorUpdatePendingCondition {
  private OperatorUpdatePendingCondition() {}

  /** From what was rendered, and from what the StoreShards say of their pods. */
  public static Verdict of(Update update, List<StoreShard> shards) {
    Verdict own = update.verdict();
    String pending =
        shards.stream()
            .filter(OperatorUpdatePendingCondition::isPending)
            .map(shard -> shard.getMetadata().getName())
            .collect(Collectors.joining(", "));
    if (pending.isEmpty()) {
      return own;
    }
    if (own.met()) {
      return new Verdict(
          own.status(),
          own.reason(),
          "%s The stores %s have differences, too; see the ConfigMaps <store>-store-bundle."
              .formatted(own.message(), pending));
    }
    return update.moves()
        ? Verdict.yes(
            Reason.RollingOut,
            "The pods take the bundle %s. Still to come: the stores %s. No action is needed."
                .formatted(update.of().running(), pending))
        : Verdict.yes(
            Reason.OperatorUpdatePending,
            "This operator would change the pods of these stores: %s. See the difference in the field data.diff of the ConfigMaps <store>-store-bundle. %s"
                .formatted(pending, update.toReplace()));
  }

  /** Whether pods of a store wait for the bundle of this operator. */
  public static boolean arePending(List<StoreShard> shards) {
    return shards.stream().anyMatch(OperatorUpdatePendingCondition::isPending);
  }

  private static boolean isPending(StoreShard shard) {
    return ShardStates.condition(shard, StoreCondition.OperatorUpdatePending)
        .filter(condition -> condition.status().equals(Condition.TRUE))
        .isPresent();
  }
}
