// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.storeshard.status.StoreCondition;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads StoreShards' conditions. Pure. */
final class ShardStates {
  private ShardStates() {}

  static boolean isReady(StoreShard shard) {
    return condition(shard, StoreCondition.Ready)
        .filter(condition -> condition.status().equals(Condition.TRUE))
        .isPresent();
  }

  /** What keeps a store that serves from taking writes, be they those of some keys. */
  static Optional<Condition> refusal(StoreShard shard) {
    return Stream.of(StoreCondition.WalHealthy, StoreCondition.CapacityAvailable)
        .flatMap(type -> condition(shard, type).stream())
        .filter(condition -> condition.status().equals(Condition.FALSE))
        .findFirst();
  }

  /** How much it refuses. */
  static String extent(Condition refusal) {
    return Reason.PrefixSpaceExceeded.name().equals(refusal.reason())
        ? "does not take all writes"
        : "takes no writes";
  }

  static Optional<Condition> condition(StoreShard shard, StoreCondition type) {
    return shard.getStatus() == null || shard.getStatus().conditions() == null
        ? Optional.empty()
        : shard.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(type.name()))
            .findFirst();
  }
}
