// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.standby.Comparison;
import io.exaplane.operator.standby.Rehearsal;
import io.exaplane.operator.storeshard.dependent.StorePins;
import io.exaplane.operator.storeshard.restart.StoreRestarts;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.exaplane.operator.storeshard.status.StoreStatusReporter;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/**
 * A pass of the {@link StoreShardReconciler} without everything that asks or writes: pins, the
 * StatefulSet, restarts, status. Thread-safe: keeps nothing.
 */
@Singleton
class StoreShardRehearsal implements Rehearsal<StoreShard> {
  private final StorePins pins;
  private final OperatorConfig config;
  private final Clock clock;

  StoreShardRehearsal(StorePins pins, OperatorConfig config, Clock clock) {
    this.pins = pins;
    this.config = config;
    this.clock = clock;
  }

  @Override
  public String controller() {
    return StoreShardReconciler.NAME;
  }

  @Override
  public void of(StoreShard shard, Context<StoreShard> context) {
    status(shard, context);
  }

  /** The status that a pass would write, if it had no answers of APIs. */
  StoreShardStatus status(StoreShard shard, Context<StoreShard> context) {
    StorePins.Pinned pinned = pins.of(shard, context);
    Comparison.of(List.of(pinned.set()), context);
    RestartPlan restarts =
        StoreRestarts.plan(
            shard,
            OwnSet.of(shard, context),
            context.getSecondaryResource(Pod.class),
            context.getSecondaryResource(Secret.class),
            true,
            clock.instant());
    return new StoreStatusReporter(
            shard, context, StoreShardReconciler.newestImage(shard, config), pinned.update(), clock)
        .status(restarts);
  }
}
