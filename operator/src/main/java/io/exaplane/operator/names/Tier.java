// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.names;

import io.exaplane.api.v1alpha1.PoolRelaysSpec;
import io.exaplane.api.v1alpha1.PoolRootsSpec;
import io.exaplane.api.v1alpha1.PoolShardsSpec;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Locale;

/** What processes of a pool do, in the order in which a change reaches them. */
public enum Tier {
  SHARD,
  RELAY,
  ROOT;

  /** As in names of objects and in the scheduler's {@code --role}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many there are to be. */
  public int replicas(SchedulerPoolSpec spec) {
    int shards = PoolShardsSpec.replicas(spec.shards());
    return switch (this) {
      case SHARD -> shards;
      case RELAY -> PoolRelaysSpec.replicas(spec.relays(), shards);
      case ROOT -> PoolRootsSpec.replicas(spec.roots());
    };
  }

  /** What the user lets each ask for, or null. */
  public ResourceRequirements resources(SchedulerPoolSpec spec) {
    return switch (this) {
      case SHARD -> PoolShardsSpec.resources(spec.shards());
      case RELAY -> PoolRelaysSpec.resources(spec.relays());
      case ROOT -> PoolRootsSpec.resources(spec.roots());
    };
  }
}
