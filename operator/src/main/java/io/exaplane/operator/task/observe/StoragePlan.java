// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The stores and routes in force: as the spec says, else as the status tells of what the operator
 * chose. Immutable.
 */
public record StoragePlan(
    List<StoreTemplate> stores, List<StoreRoute> routes, boolean storesAreWritten) {
  /** That of a control plane. */
  public static StoragePlan of(ControlPlane controlPlane) {
    StorageSpec storage = controlPlane.getSpec().storage();
    if (StorageSpec.isExplicit(storage)) {
      return new StoragePlan(
          StorageSpec.stores(storage), StorageSpec.routes(storage), storage.stores() != null);
    }
    List<ControlPlaneStatus.Store> told =
        Optional.ofNullable(controlPlane.getStatus())
            .map(ControlPlaneStatus::stores)
            .map(ControlPlaneStatus.Stores::items)
            .orElse(List.of());
    return new StoragePlan(
        told.stream()
            .map(
                store ->
                    new StoreTemplate(store.name(), store.criticality(), null, null, null, null))
            .toList(),
        told.stream()
            .filter(store -> store.resources() != null && !store.resources().isEmpty())
            .map(store -> new StoreRoute(store.name(), store.resources()))
            .toList(),
        false);
  }

  /**
   * Whether a pass of the control plane has taken over that a resource moved: it writes the routes
   * on each store.
   */
  public static boolean isTakenOver(StoreShard shard, ResourceRef resource, String toStore) {
    String routes =
        Optional.ofNullable(shard.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(StoreNames.ROUTES_ANNOTATION))
            .orElse(null);
    if (routes == null) {
      return true;
    }
    List<StoreRoute> written = List.of(Serialization.unmarshal(routes, StoreRoute[].class));
    return StorageSpec.storeOf(written, resource).equals(toStore);
  }

  /** A store by its name. */
  public Optional<StoreTemplate> store(String name) {
    return stores.stream().filter(store -> store.name().equals(name)).findFirst();
  }

  /** The store that has a resource. */
  public String storeOf(ResourceRef resource) {
    return StorageSpec.storeOf(routes, resource);
  }

  /**
   * What a merge patch of {@code spec.storage} says once a resource has moved. Stores that nobody
   * wrote down are written, too: routes alone would mean the default stores.
   *
   * @param mark the value of {@code movedBy}
   */
  public StorageSpec moved(ResourceRef resource, String toStore, String mark) {
    List<StoreRoute> next = new ArrayList<>();
    for (StoreRoute route : routes) {
      List<ResourceRef> kept =
          Stream.concat(
                  route.resources().stream().filter(one -> !one.equals(resource)),
                  route.store().equals(toStore) ? Stream.of(resource) : Stream.empty())
              .toList();
      if (!kept.isEmpty()) {
        next.add(new StoreRoute(route.store(), kept));
      }
    }
    boolean needsRoute =
        !toStore.equals(StorageSpec.DEFAULT_STORE)
            && next.stream().noneMatch(route -> route.store().equals(toStore));
    if (needsRoute) {
      next.add(new StoreRoute(toStore, List.of(resource)));
    }
    return new StorageSpec(storesAreWritten ? null : stores, next, null, null, null, mark);
  }
}
