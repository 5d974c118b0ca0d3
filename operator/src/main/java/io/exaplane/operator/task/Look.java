// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Map;
import java.util.Optional;

/**
 * What a task is judged by, besides itself. Immutable.
 *
 * @param deployment of the component that is restarted, or of kube-apiserver for reshard
 * @param shard the store that is restarted
 * @param set of that store
 * @param administrators the group that has the administrator's rights inside the hosted cluster;
 *     empty while nobody knows
 * @param shards all stores by their names in the control plane, for reshard
 * @param sets of the stores that take part, for reshard
 */
record Look(
    ControlPlane controlPlane,
    Optional<Deployment> deployment,
    Optional<StoreShard> shard,
    Optional<StatefulSet> set,
    Optional<String> administrators,
    Map<String, StoreShard> shards,
    Map<String, StatefulSet> sets) {
  /** Of a task that moves nothing. */
  Look(
      ControlPlane controlPlane,
      Optional<Deployment> deployment,
      Optional<StoreShard> shard,
      Optional<StatefulSet> set,
      Optional<String> administrators) {
    this(controlPlane, deployment, shard, set, administrators, Map.of(), Map.of());
  }

  Optional<StoreShard> shardOf(String store) {
    return Optional.ofNullable(shards.get(store));
  }

  Optional<StatefulSet> setOf(String store) {
    return Optional.ofNullable(sets.get(store));
  }
}
