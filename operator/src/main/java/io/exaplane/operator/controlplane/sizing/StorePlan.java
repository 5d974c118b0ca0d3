// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Which Kinds live in which store: as the spec says, else as the model chose when the control plane
 * was made. Objects of a Kind that is led elsewhere later would vanish, so the choice is kept with
 * every store and never made again. Pure.
 */
public final class StorePlan {
  /** The routes that were chosen, as JSON, on each StoreShard of the control plane. */
  public static final String ROUTES_ANNOTATION = "exaplane.io/routes";

  private static final JsonMapper JSON = new JsonMapper();

  private StorePlan() {}

  /**
   * The stores and routes of a control plane.
   *
   * @param shards the StoreShards there are, those of one of the same name before it among them
   * @param routed the resources that the model gives stores of their own
   */
  static StorageSpec of(
      ControlPlane controlPlane, Collection<StoreShard> shards, List<ResourceRef> routed) {
    if (controlPlane.getSpec().storage() != null) {
      return controlPlane.getSpec().storage();
    }
    List<StoreShard> own =
        shards.stream().filter(shard -> shard.hasOwnerReferenceFor(controlPlane)).toList();
    if (own.isEmpty()) {
      return storage(routes(routed));
    }
    Optional<String> chosen =
        own.stream()
            .flatMap(shard -> Optional.ofNullable(shard.getMetadata().getAnnotations()).stream())
            .flatMap(all -> Optional.ofNullable(all.get(ROUTES_ANNOTATION)).stream())
            .findFirst();
    // Stores from before the model chose have what was the same for all.
    return storage(chosen.map(StorePlan::parse).orElseGet(() -> routes(List.of())));
  }

  /** What a StoreShard carries of the choice. */
  public static String text(StorageSpec storage) {
    try {
      return JSON.writeValueAsString(StorageSpec.routes(storage));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("routes that can't be written", e);
    }
  }

  private static List<StoreRoute> parse(String text) {
    try {
      return JSON.readValue(text, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "annotation "
              + ROUTES_ANNOTATION
              + " of a StoreShard: '"
              + text
              + "' is not what the operator wrote; restore it from 'kubectl get storeshard -o yaml'"
              + " of another store of this control plane",
          e);
    }
  }

  /** Events always have a store of their own: the one that may be lost. */
  private static List<StoreRoute> routes(List<ResourceRef> routed) {
    List<StoreRoute> routes = new ArrayList<>(StorageSpec.routes(null));
    routed.stream()
        .filter(resource -> !resource.resource().equals(StorageSpec.EVENTS_STORE))
        .forEach(resource -> routes.add(new StoreRoute(resource.resource(), List.of(resource))));
    return routes;
  }

  private static StorageSpec storage(List<StoreRoute> routes) {
    List<StoreTemplate> stores = new ArrayList<>(StorageSpec.stores(null));
    routes.stream()
        .map(StoreRoute::store)
        .filter(name -> stores.stream().noneMatch(store -> store.name().equals(name)))
        .forEach(
            name ->
                stores.add(new StoreTemplate(name, Criticality.Critical, null, null, null, null)));
    return new StorageSpec(stores, routes);
  }

  /** The resources that the model gives stores of their own, and the plan does not. */
  static List<ResourceRef> missing(StorageSpec storage, List<ResourceRef> routed) {
    List<ResourceRef> there =
        StorageSpec.routes(storage).stream().flatMap(route -> route.resources().stream()).toList();
    return routed.stream().filter(resource -> !there.contains(resource)).toList();
  }
}
