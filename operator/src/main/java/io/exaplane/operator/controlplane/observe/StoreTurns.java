// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whose turn it is when the stores of a control plane are replaced: one after the other in the
 * order of the spec, each when all others serve and no component is being replaced. Pure.
 */
public final class StoreTurns {
  private final String asked;
  private final Map<String, StoreShard> shards;
  private final ControlPlaneNames names;
  private final Optional<String> turn;

  /** For what was observed. */
  public StoreTurns(Observed observed) {
    StorageSpec storage = observed.controlPlane().spec().storage();
    this.asked = storage == null ? null : storage.restartedAt();
    this.names = observed.controlPlane().names();
    this.shards =
        observed.shards().stream()
            .collect(Collectors.toMap(s -> s.getMetadata().getName(), Function.identity()));
    this.turn = turn(StorageSpec.stores(storage), observed.deployments());
  }

  /** The request that a store is to have carried out. */
  public String restartedAt(StoreTemplate store) {
    StoreShard shard = shards.get(names.shard(store.name()));
    if (shard == null) {
      // It is made of what this operator has.
      return asked;
    }
    return turn.filter(store.name()::equals).isPresent() ? asked : shard.getSpec().restartedAt();
  }

  private Optional<String> turn(List<StoreTemplate> stores, List<Deployment> deployments) {
    if (asked == null || deployments.stream().anyMatch(Rollout::isReplacingPods)) {
      return Optional.empty();
    }
    boolean settled =
        shards.values().stream().allMatch(shard -> ShardStates.isReady(shard) && isDone(shard));
    return stores.stream()
        .map(StoreTemplate::name)
        .filter(name -> shards.containsKey(names.shard(name)))
        .filter(name -> !asked.equals(shards.get(names.shard(name)).getSpec().restartedAt()))
        .findFirst()
        .filter(_ -> settled);
  }

  /** Whether a store has carried out the request that it has. */
  private static boolean isDone(StoreShard shard) {
    String request = shard.getSpec().restartedAt();
    return request == null
        || shard.getStatus() != null && Objects.equals(request, shard.getStatus().restartedAt());
  }
}
