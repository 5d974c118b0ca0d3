// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads StoreShards' conditions. Pure. */
public final class ShardStates {
  private ShardStates() {}

  /** Whether the store serves. */
  public static boolean isReady(StoreShard shard) {
    return condition(shard, StoreCondition.Ready)
        .filter(condition -> condition.status().equals(Condition.TRUE))
        .isPresent();
  }

  /** Whether a Critical store is on a volume that goes with its pod. */
  public static boolean losesDataWithPod(StoreShard shard) {
    return shard.getSpec() != null
        && shard.getSpec().effectiveCriticality() == Criticality.Critical
        && !VolumeSpec.type(shard.getSpec().storage(), Criticality.Critical).outlivesPod();
  }

  /** What keeps a store that runs from taking writes, be they those of some keys. */
  public static Optional<Condition> refusal(StoreShard shard) {
    return Stream.of(StoreCondition.WalHealthy, StoreCondition.CapacityAvailable)
        .flatMap(type -> condition(shard, type).stream())
        .filter(condition -> condition.status().equals(Condition.FALSE))
        .findFirst();
  }

  /** The same of one that takes none, whatever their keys. */
  public static Optional<Condition> refusalOfAll(StoreShard shard) {
    return refusal(shard)
        .filter(condition -> !Reason.PrefixSpaceExceeded.name().equals(condition.reason()));
  }

  /** What warns that a store will soon refuse writes. */
  public static Optional<Condition> warning(StoreShard shard) {
    return condition(shard, StoreCondition.CapacityAvailable)
        .filter(condition -> condition.reason().equals(Reason.SpaceNearlyExceeded.name()));
  }

  /** How much it refuses. */
  public static String extent(Condition refusal) {
    return switch (Reason.valueOf(refusal.reason())) {
      case PrefixSpaceExceeded -> "refuses some writes";
      case SpaceExceeded -> "refuses writes that add data";
      default -> "refuses writes";
    };
  }

  /** A condition, once it was told. */
  public static Optional<Condition> condition(StoreShard shard, StoreCondition type) {
    return shard.getStatus() == null || shard.getStatus().conditions() == null
        ? Optional.empty()
        : shard.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(type.name()))
            .findFirst();
  }
}
