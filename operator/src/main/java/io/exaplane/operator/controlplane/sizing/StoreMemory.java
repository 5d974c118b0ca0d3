// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pod.ContainerRequests;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.operator.storeshard.resources.StoreGuarantee;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Memory and cores of stores. A store of ours that is made gets what the model has for all that is
 * routed to it, when a node carries that, and a Critical one is guaranteed it. One that is there
 * keeps what it has until the user names another: it is one pod, which another size would replace.
 * Pure.
 */
final class StoreMemory {
  private static final ContainerMemory DEFAULT =
      new ContainerMemory(
          new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_REQUEST),
          Optional.of(new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT)));

  private final int maxNodes;
  private final StorageSpec planned;
  private final List<StoreRoute> routes;
  private final Map<StoreTemplate, Optional<StoreShard>> stores = new LinkedHashMap<>();
  private final Optional<StoreRoom> room;
  private final boolean isMemoryNamed;
  private final boolean isRoomNamed;
  private final Supplier<Optional<String>> retainedRoutes;
  private final Optional<RoomOfOld> old;

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
    this.maxNodes = controlPlane.getSpec().maxNodes();
    this.planned = planned;
    this.routes = StorageSpec.routes(planned);
    Optional<Long> limit = ClusterShape.memoryLimitBytes(controlPlane.getSpec());
    this.room = estimate.map(all -> StoreRoom.of(all, limit, loaded(all)));
    this.old = room.map(now -> RoomOfOld.of(now, limit, before));
    this.isMemoryNamed = limit.isPresent();
    this.retainedRoutes = before.retainedRoutes();
    this.isRoomNamed =
        StorageSpec.stores(planned).stream()
            .filter(store -> !holdsEventsOnly(store.name()))
            .anyMatch(StoreRoom::isNamed);
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    for (StoreTemplate store : StorageSpec.stores(planned)) {
      Optional<StoreShard> shard =
          before.shards().stream()
              .filter(any -> any.hasOwnerReferenceFor(controlPlane))
              .filter(any -> names.shard(store.name()).equals(any.getMetadata().getName()))
              .findFirst();
      boolean ours = store.effectiveEngine() == StoreEngine.Memory;
      StoreTemplate made =
          ours
              ? shard
                  .map(there -> kept(store, there))
                  .orElseGet(() -> chosen(store, estimate, before.nodes()))
              : store;
      double expected = estimate.map(all -> expected(all, store.name()).memory()).orElse(0.0);
      StoreTemplate placed = made.on(StoreVolume.of(made, shard, expected));
      stores.put(ours ? withRoom(placed, shard) : placed, shard);
    }
  }

  /** What is expected of the stores that a kube-apiserver loads. */
  private List<Store> loaded(Estimate estimate) {
    return StorageSpec.stores(planned).stream()
        .map(StoreTemplate::name)
        .filter(name -> !holdsEventsOnly(name))
        .map(name -> expected(estimate, name))
        .toList();
  }

  /**
   * Quotas that were chosen stay until the pod is replaced anyway ({@link RoomOfOld}): others would
   * replace it. Who named one of the two for a new store has no other.
   */
  private StoreTemplate withRoom(StoreTemplate store, Optional<StoreShard> shard) {
    MemoryEngineSpec named = store.memory();
    if (holdsEventsOnly(store.name())) {
      return store;
    }
    if (shard.isPresent()) {
      Optional<MemoryEngineSpec> has =
          shard.map(there -> there.getSpec()).map(StoreShardSpec::memory);
      return withQuotas(
          store,
          StoreRoom.hasQuota(named) ? Optional.of(named.quota()) : has.map(MemoryEngineSpec::quota),
          StoreRoom.hasLoadQuota(named)
              ? Optional.of(named.loadQuota())
              : has.map(MemoryEngineSpec::loadQuota));
    }
    if (StoreRoom.hasQuota(named) || StoreRoom.hasLoadQuota(named) || !isRoomBound()) {
      return store;
    }
    return room.map(
            bound -> {
              Store expected = expected(bound.estimate(), store.name());
              double takes = StoreSpace.of(store, shard, expected).takes().orElse(Double.MAX_VALUE);
              return withQuotas(
                  store,
                  bound.quota(expected, takes),
                  isTakenOver() ? Optional.empty() : Optional.of(bound.loadQuota(expected)));
            })
        .orElse(store);
  }

  private static StoreTemplate withQuotas(
      StoreTemplate store, Optional<String> quota, Optional<String> loadQuota) {
    return quota.isEmpty() && loadQuota.isEmpty()
        ? store
        : StoreRoom.with(store, quota.orElse(null), loadQuota.orElse(null));
  }

  /**
   * Whether stores take over the claims of stores before. Those may load more than any quota, and
   * would come back without taking what grows: they get none that nobody named.
   */
  private boolean isTakenOver() {
    return retainedRoutes.get().isPresent();
  }

  /**
   * Whether memory of kube-apiservers bounds a new store: not one that takes over the claims of a
   * store before, which may hold more, unless the user named that memory.
   */
  private boolean isRoomBound() {
    return isMemoryNamed || !isTakenOver();
  }

  /** Stores of ours that exist and are loaded, and whose room nobody named. */
  private List<RoomOfOld.Old> unnamed(Estimate estimate) {
    List<RoomOfOld.Old> unnamed = new ArrayList<>();
    stores.forEach(
        (store, shard) ->
            shard
                .filter(there -> there.getSpec() != null)
                .filter(_ -> store.effectiveEngine() == StoreEngine.Memory)
                .filter(_ -> !holdsEventsOnly(store.name()) && !isQuotaNamed(store.name()))
                .ifPresent(there -> unnamed.add(unnamed(estimate, store, there))));
    return unnamed;
  }

  private RoomOfOld.Old unnamed(Estimate estimate, StoreTemplate store, StoreShard shard) {
    Store expected = expected(estimate, store.name());
    StoreSpace space = StoreSpace.of(StoreRoom.with(store, null, null), Optional.empty(), expected);
    return new RoomOfOld.Old(expected, shard, store.memory(), space.takes(), space.isFixed());
  }

  private boolean isQuotaNamed(String store) {
    return StorageSpec.stores(planned).stream()
        .filter(any -> any.name().equals(store))
        .map(StoreTemplate::memory)
        .anyMatch(memory -> StoreRoom.hasQuota(memory) || StoreRoom.hasLoadQuota(memory));
  }

  /** The quotas that stores take when their pods are replaced next, by the stores' names. */
  Map<String, MemoryEngineSpec> next(Estimate estimate) {
    return old.map(room -> room.next(unnamed(estimate))).orElse(Map.of());
  }

  /** Stores that exist, and may hold more than their kube-apiservers can load. */
  Optional<Problem> problemOfOld(Estimate estimate) {
    return old.flatMap(room -> room.problem(unnamed(estimate)));
  }

  /** What the user named of stores and of kube-apiservers, and what does not fit. */
  Optional<Problem> problem(List<StoreSpace> spaces) {
    if (!isMemoryNamed || !isRoomNamed) {
      return Optional.empty();
    }
    List<OptionalLong> loads =
        stores.keySet().stream()
            .filter(store -> !holdsEventsOnly(store.name()))
            .map(store -> MemoryEngineSpec.loadQuotaBytes(store.memory()))
            .toList();
    if (loads.stream().allMatch(OptionalLong::isPresent)) {
      return room.flatMap(
          bound -> bound.loadProblem(loads.stream().mapToLong(OptionalLong::getAsLong).sum()));
    }
    List<OptionalDouble> takes =
        spaces.stream()
            .filter(space -> !holdsEventsOnly(space.name()))
            .map(StoreSpace::takes)
            .toList();
    return takes.stream().allMatch(OptionalDouble::isPresent)
        ? room.flatMap(
            bound -> bound.problem(takes.stream().mapToDouble(OptionalDouble::getAsDouble).sum()))
        : Optional.empty();
  }

  /** Stores whose quota of load is too small for what is expected of them. */
  List<Problem> tooSmallLoads(Estimate estimate, List<StoreSpace> spaces) {
    return spaces.stream()
        .filter(space -> !holdsEventsOnly(space.name()))
        .flatMap(space -> tooSmallLoad(estimate, space).stream())
        .toList();
  }

  private Optional<Problem> tooSmallLoad(Estimate estimate, StoreSpace space) {
    OptionalLong quota =
        stores.keySet().stream()
            .filter(store -> store.name().equals(space.name()))
            .map(store -> MemoryEngineSpec.loadQuotaBytes(store.memory()))
            .findFirst()
            .orElseThrow();
    return quota.isEmpty()
        ? Optional.empty()
        : StoreRoom.tooSmall(expected(estimate, space.name()), quota.getAsLong(), space.isFixed());
  }

  /** The stores with their memory, and the routes. */
  StorageSpec storage() {
    return StorageSpec.with(planned, List.copyOf(stores.keySet()), routes);
  }

  /** The space of each beside what it would keep. */
  List<StoreSpace> spaces(Estimate estimate) {
    List<StoreSpace> spaces = new ArrayList<>();
    stores.forEach(
        (store, shard) ->
            spaces.add(StoreSpace.of(store, shard, expected(estimate, store.name()))));
    return List.copyOf(spaces);
  }

  /** Bytes that stores say they hold of what a kube-apiserver loads: of all but Events. */
  double loadedBytes() {
    return stores.entrySet().stream()
        .filter(store -> !holdsEventsOnly(store.getKey().name()))
        .flatMap(store -> store.getValue().stream())
        .flatMap(shard -> Stream.ofNullable(shard.getStatus()))
        .filter(status -> status.bytes() != null)
        .mapToDouble(StoreShardStatus::bytes)
        .sum();
  }

  private boolean holdsEventsOnly(String store) {
    List<ResourceRef> resources =
        routes.stream()
            .filter(route -> route.store().equals(store))
            .flatMap(route -> route.resources().stream())
            .toList();
    return !store.equals(StorageSpec.DEFAULT_STORE)
        && resources.stream().allMatch(resource -> resource.resource().equals(Load.EVENTS));
  }

  private static StoreTemplate kept(StoreTemplate store, StoreShard shard) {
    ResourceRequirements has = shard.getSpec() == null ? null : shard.getSpec().resources();
    boolean named = ContainerMemory.named(store.resources()).isPresent();
    if (has == null) {
      return named ? store : with(store, DEFAULT);
    }
    // One that never had a bound has none now: what it holds may not fit into any.
    StoreTemplate kept =
        named ? store : ContainerMemory.of(has).map(memory -> with(store, memory)).orElse(store);
    return StoreGuarantee.cores(has)
        .filter(_ -> ContainerMemory.namedCores(store.resources()).isEmpty())
        .map(cores -> with(kept, ContainerMemory.guaranteed(kept.resources(), cores)))
        .orElse(kept);
  }

  private StoreTemplate chosen(
      StoreTemplate store, Optional<Estimate> estimate, Supplier<Collection<NodeCapacity>> nodes) {
    Optional<StoreTemplate> guaranteed =
        Optional.of(store)
            .filter(any -> any.effectiveCriticality() == Criticality.Critical)
            .flatMap(
                any ->
                    StoreGuarantee.of(
                        any.resources(), memory(any, estimate), StoreGuarantee.cores(maxNodes)))
            .map(resources -> with(store, resources))
            // Where no node is, as with an autoscaler, nothing says that it does not fit.
            .filter(made -> nodes.get().isEmpty() || isCarried(made, nodes));
    return guaranteed.orElseGet(
        () ->
            ContainerMemory.named(store.resources()).isPresent()
                ? store
                : unguaranteed(store, estimate, nodes));
  }

  /** Of a Critical store: what it needs, where a small one is given more than that. */
  private Quantity memory(StoreTemplate store, Optional<Estimate> estimate) {
    double needed = estimate.map(all -> expected(all, store.name()).neededMemory()).orElse(0.0);
    double wanted = Math.min(useful(store), Numbers.roundUp(needed, Bytes.GIB));
    double memory = Math.max(wanted, StoreGuarantee.leastMemory(maxNodes));
    return ContainerRequests.mebibytes((long) (memory / Bytes.MIB));
  }

  private static boolean isCarried(StoreTemplate made, Supplier<Collection<NodeCapacity>> nodes) {
    return nodes.get().stream().anyMatch(node -> node.carriesBesideOthers(made.resources()));
  }

  /** Memory above which a store's quota or volume leaves the rest unused. */
  private static double useful(StoreTemplate store) {
    return MemoryEngineSpec.quotaBytes(
            store.memory(),
            Optional.ofNullable(store.storage())
                .map(VolumeSpec::size)
                .map(size -> size.getNumericalAmount().longValue()))
        .stream()
        .mapToDouble(Store::memoryFor)
        .findFirst()
        .orElse(Double.MAX_VALUE);
  }

  private StoreTemplate unguaranteed(
      StoreTemplate store, Optional<Estimate> estimate, Supplier<Collection<NodeCapacity>> nodes) {
    double wanted =
        Math.min(
            useful(store), estimate.map(all -> expected(all, store.name()).memory()).orElse(0.0));
    if (wanted <= Store.LEAST_MEMORY) {
      return with(store, DEFAULT);
    }
    StoreTemplate made =
        with(
            store,
            ContainerMemory.limited(ContainerRequests.mebibytes((long) (wanted / Bytes.MIB))));
    return isCarried(made, nodes) ? made : with(store, DEFAULT);
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
    return with(store, own == null && memory.equals(DEFAULT) ? null : memory.with(own));
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
