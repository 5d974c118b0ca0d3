// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
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
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Gives our stores the memory that the model has for what is routed to them. It never takes any
 * away: what a store holds is there whatever {@code maxNodes} says. Pure.
 */
final class StoreMemory {
  private static final String CORES = "50m";
  private final List<String> problems = new ArrayList<>();
  private final StorageSpec storage;

  /**
   * For the stores of a control plane.
   *
   * @param planned the stores and their routes
   * @param load what the model expects; nothing when it was not asked: stores keep what they have
   */
  StoreMemory(
      ControlPlane controlPlane, StorageSpec planned, Optional<Load> load, Sized.Before before) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    List<StoreTemplate> stores = new ArrayList<>();
    for (StoreTemplate store : StorageSpec.stores(planned)) {
      boolean ours = store.effectiveEngine() == StoreEngine.Memory;
      if (!ours || store.resources() != null) {
        stores.add(store);
        continue;
      }
      Optional<ResourceRequirements> has =
          resources(before.shards(), controlPlane, names.shard(store.name()));
      Optional<Store> expected = load.map(all -> expected(all, store.name(), planned));
      stores.add(with(store, chosen(store, expected, has, before.nodes())));
    }
    this.storage = new StorageSpec(stores, planned == null ? null : planned.routes());
  }

  /** The stores with their memory. */
  StorageSpec storage() {
    return storage;
  }

  /** What was not applied, and why. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  private ResourceRequirements chosen(
      StoreTemplate store,
      Optional<Store> expected,
      Optional<ResourceRequirements> has,
      Supplier<Collection<NodeCapacity>> nodes) {
    double wanted = expected.map(Store::memory).orElse(0.0);
    if (wanted <= has.map(StoreMemory::limit).orElse(Store.LEAST_MEMORY)) {
      return has.orElse(null);
    }
    Quantity memory = ContainerRequests.mebibytes((long) (wanted / Bytes.MIB));
    ContainerRequests requests =
        ContainerRequests.of(
            "the store " + store.name(),
            "resources of it in spec.storage",
            new ResourceRequirementsBuilder()
                .addToRequests("cpu", new Quantity(CORES))
                .addToRequests("memory", memory)
                .addToLimits("memory", memory)
                .build(),
            has,
            nodes);
    requests.problem().ifPresent(problems::add);
    return requests.container().orElse(null);
  }

  private static double limit(ResourceRequirements resources) {
    Quantity limit = resources.getLimits() == null ? null : resources.getLimits().get("memory");
    // Without a limit it takes what the node has.
    return limit == null ? Double.MAX_VALUE : limit.getNumericalAmount().doubleValue();
  }

  private static Optional<ResourceRequirements> resources(
      Collection<StoreShard> shards, ControlPlane controlPlane, String name) {
    return shards.stream()
        .filter(shard -> shard.hasOwnerReferenceFor(controlPlane))
        .filter(shard -> name.equals(shard.getMetadata().getName()))
        .findFirst()
        .flatMap(shard -> Optional.ofNullable(shard.getSpec()))
        .flatMap(spec -> Optional.ofNullable(spec.resources()));
  }

  /** What a store has to carry: what is routed to it, or what is routed nowhere. */
  private static Store expected(Load load, String name, StorageSpec planned) {
    List<StoreRoute> routes = StorageSpec.routes(planned);
    List<Kind> kinds =
        load.kinds().stream()
            .filter(
                kind ->
                    routes.stream()
                        .filter(route -> route.resources().stream().anyMatch(r -> is(kind, r)))
                        .map(StoreRoute::store)
                        .findFirst()
                        .orElse(StorageSpec.DEFAULT_STORE)
                        .equals(name))
            .toList();
    return new Store(name, kinds);
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
