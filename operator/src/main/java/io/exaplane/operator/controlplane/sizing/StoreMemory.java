// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.ControlPlaneNames;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Memory of stores. A store of ours that is made gets what the model has for all that is routed to
 * it, when a node carries that. One that is there keeps what it has until the user names another:
 * it is one pod, which another size would replace. Pure.
 */
final class StoreMemory {
  private static final ContainerMemory DEFAULT =
      new ContainerMemory(
          new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_REQUEST),
          Optional.of(new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT)));

  private final StorageSpec planned;
  private final Map<StoreTemplate, Optional<StoreShard>> stores = new LinkedHashMap<>();

  /**
   * For the stores of a control plane.
   *
   * @param planned the stores and their routes
   * @param estimate what the model expects; nothing when it was not asked
   */
  StoreMemory(
      ControlPlane controlPlane,
      StorageSpec planned,
      Optional<Estimate> estimate,
      Sized.Before before) {
    this.planned = planned;
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    for (StoreTemplate store : StorageSpec.stores(planned)) {
      Optional<StoreShard> shard =
          before.shards().stream()
              .filter(any -> any.hasOwnerReferenceFor(controlPlane))
              .filter(any -> names.shard(store.name()).equals(any.getMetadata().getName()))
              .findFirst();
      boolean ours = store.effectiveEngine() == StoreEngine.Memory;
      StoreTemplate made =
          ours && ContainerMemory.named(store.resources()).isEmpty()
              ? shard
                  .map(there -> kept(store, there))
                  .orElseGet(() -> chosen(store, estimate, before.nodes()))
              : store;
      double expected = estimate.map(all -> expected(all, store.name()).memory()).orElse(0.0);
      stores.put(made.on(StoreVolume.of(made, shard, expected)), shard);
    }
  }

  /** The stores with their memory, and the routes. */
  StorageSpec storage() {
    return StorageSpec.with(planned, List.copyOf(stores.keySet()), StorageSpec.routes(planned));
  }

  /** The space of each beside what it would keep. */
  List<StoreSpace> spaces(Estimate estimate) {
    List<StoreSpace> spaces = new ArrayList<>();
    stores.forEach(
        (store, shard) ->
            spaces.add(StoreSpace.of(store, shard, expected(estimate, store.name()))));
    return List.copyOf(spaces);
  }

  private static StoreTemplate kept(StoreTemplate store, StoreShard shard) {
    ResourceRequirements has = shard.getSpec() == null ? null : shard.getSpec().resources();
    if (has == null) {
      return with(store, DEFAULT);
    }
    // One that never had a bound has none now: what it holds may not fit into any.
    return ContainerMemory.of(has).map(memory -> with(store, memory)).orElse(store);
  }

  private StoreTemplate chosen(
      StoreTemplate store, Optional<Estimate> estimate, Supplier<Collection<NodeCapacity>> nodes) {
    double useful =
        MemoryEngineSpec.quotaBytes(
                store.memory(),
                Optional.ofNullable(store.storage())
                    .map(VolumeSpec::size)
                    .map(size -> size.getNumericalAmount().longValue()))
            .stream()
            .mapToDouble(Store::memoryFor)
            .findFirst()
            .orElse(Double.MAX_VALUE);
    double wanted =
        Math.min(useful, estimate.map(all -> expected(all, store.name()).memory()).orElse(0.0));
    if (wanted <= Store.LEAST_MEMORY) {
      return with(store, DEFAULT);
    }
    StoreTemplate made =
        with(
            store,
            ContainerMemory.limited(ContainerRequests.mebibytes((long) (wanted / Bytes.MIB))));
    boolean carried = nodes.get().stream().anyMatch(node -> node.carries(made.resources()));
    return carried ? made : with(store, DEFAULT);
  }

  /** What a store has to carry: what is routed to it, or what is routed nowhere. */
  private Store expected(Estimate estimate, String name) {
    return new Store(
        name,
        estimate.load().kinds().stream().filter(kind -> storeOf(kind).equals(name)).toList(),
        estimate.compactionSeconds());
  }

  private String storeOf(Kind kind) {
    return StorageSpec.routes(planned).stream()
        .filter(route -> route.resources().stream().anyMatch(resource -> is(kind, resource)))
        .map(StoreRoute::store)
        .findFirst()
        .orElse(StorageSpec.DEFAULT_STORE);
  }

  private static boolean is(Kind kind, ResourceRef resource) {
    String group = resource.group() == null ? "" : resource.group();
    return kind.resource()
        .equals(group.isEmpty() ? resource.resource() : group + "/" + resource.resource());
  }

  private static StoreTemplate with(StoreTemplate store, ContainerMemory memory) {
    ResourceRequirements own = store.resources();
    return new StoreTemplate(
        store.name(),
        store.criticality(),
        store.engine(),
        store.memory(),
        store.storage(),
        own == null && memory.equals(DEFAULT) ? null : memory.with(own));
  }
}
