// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.ControlPlaneNames;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Memory of stores. A store of ours that is made gets what the model has for all that is routed to
 * it, when a node carries that. One that is there keeps what it has, whatever the model says later:
 * it is one pod, and another size would replace it; the user is told. Pure.
 */
final class StoreMemory {
  private static final ContainerMemory DEFAULT =
      new ContainerMemory(
          new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_REQUEST),
          Optional.of(new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT)));

  private final Optional<Load> load;
  private final List<StoreRoute> routes;
  private final Sized.Before before;
  private final List<StoreTemplate> stores = new ArrayList<>();
  private final List<StoreSpace> spaces = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  /**
   * For the stores of a control plane.
   *
   * @param planned the stores and their routes
   * @param load what the model expects; nothing when it was not asked
   */
  StoreMemory(
      ControlPlane controlPlane, StorageSpec planned, Optional<Load> load, Sized.Before before) {
    this.load = load;
    this.routes = StorageSpec.routes(planned);
    this.before = before;
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    for (StoreTemplate store : StorageSpec.stores(planned)) {
      add(
          store,
          before.shards().stream()
              .filter(shard -> shard.hasOwnerReferenceFor(controlPlane))
              .filter(shard -> names.shard(store.name()).equals(shard.getMetadata().getName()))
              .findFirst());
    }
  }

  /** The stores with their memory, and the routes. */
  StorageSpec storage() {
    return new StorageSpec(stores, routes);
  }

  /** Space of each, when the model was asked. */
  List<StoreSpace> spaces() {
    return List.copyOf(spaces);
  }

  /** The space, bytes, of the smallest store that has too little; nothing when all have enough. */
  OptionalDouble quota() {
    return spaces.stream().filter(StoreSpace::isTooSmall).mapToDouble(StoreSpace::bytes).min();
  }

  List<Problem> problems() {
    return List.copyOf(problems);
  }

  private void add(StoreTemplate store, Optional<StoreShard> shard) {
    Optional<Store> expected = load.map(all -> expected(all, store.name()));
    ResourceRequirements own = store.resources();
    boolean ours = store.effectiveEngine() == StoreEngine.Memory;
    int problemsBefore = problems.size();
    StoreTemplate made = store;
    if (ours && ContainerMemory.named(own).isEmpty()) {
      ContainerMemory memory =
          shard.flatMap(StoreMemory::kept).orElseGet(() -> chosen(store, expected));
      made = with(store, own == null && memory.equals(DEFAULT) ? null : memory.with(own));
    }
    stores.add(made);
    if (expected.isPresent()) {
      StoreSpace space = StoreSpace.of(made, expected.get());
      spaces.add(space);
      if (space.isTooSmall() && problems.size() == problemsBefore) {
        problems.add(new Problem(Reason.LimitsExceeded, space.toString()));
      }
    }
  }

  /** What a store that is there has by us; what a user gave it before is theirs to take away. */
  private static Optional<ContainerMemory> kept(StoreShard shard) {
    if (shard.getSpec() == null || shard.getSpec().resources() == null) {
      return Optional.of(DEFAULT);
    }
    return ContainerMemory.of(shard.getSpec().resources())
        .filter(
            has -> has.equals(DEFAULT) || has.limit().filter(has.request()::equals).isPresent());
  }

  private ContainerMemory chosen(StoreTemplate store, Optional<Store> expected) {
    double useful =
        MemoryEngineSpec.quotaBytes(store.memory(), store.storage()).stream()
            .mapToDouble(Store::memoryFor)
            .findFirst()
            .orElse(Double.MAX_VALUE);
    double wanted = Math.min(useful, expected.map(Store::memory).orElse(0.0));
    if (wanted <= Store.LEAST_MEMORY) {
      return DEFAULT;
    }
    ContainerMemory memory =
        ContainerMemory.limited(ContainerRequests.mebibytes((long) (wanted / Bytes.MIB)));
    ContainerRequests requests =
        ContainerRequests.of(
            "the store " + store.name(),
            "its resources in spec.storage",
            memory.with(null),
            Optional.empty(),
            before.nodes());
    requests
        .problem()
        .ifPresent(problem -> problems.add(new Problem(Reason.LargerThanAnyNode, problem)));
    return requests.problem().isPresent() ? DEFAULT : memory;
  }

  /** What a store has to carry: what is routed to it, or what is routed nowhere. */
  private Store expected(Load load, String name) {
    return new Store(
        name, load.kinds().stream().filter(kind -> storeOf(kind).equals(name)).toList());
  }

  private String storeOf(Kind kind) {
    return routes.stream()
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

  private static StoreTemplate with(StoreTemplate store, ResourceRequirements resources) {
    return new StoreTemplate(
        store.name(),
        store.criticality(),
        store.engine(),
        store.memory(),
        store.storage(),
        resources);
  }
}
