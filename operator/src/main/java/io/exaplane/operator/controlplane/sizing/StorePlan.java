// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.exaplane.tuning.model.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which Kinds live in which store: as the spec says, else as the model chose when the control plane
 * was made. Objects of a Kind that is led elsewhere later would vanish, so the choice is kept with
 * every store and never made again. Pure.
 */
public final class StorePlan {
  /** All that the model ever gives a store of its own, but for events. */
  private static final List<ResourceRef> ROUTABLE =
      List.of(
          new ResourceRef("coordination.k8s.io", "leases"),
          new ResourceRef("", "pods"),
          new ResourceRef("", "nodes"),
          new ResourceRef("discovery.k8s.io", "endpointslices"));

  private static final JsonMapper JSON = new JsonMapper();

  private StorePlan() {}

  /** The resources that the model gives stores of their own. */
  static List<ResourceRef> routed(Estimate estimate) {
    return estimate.routedResources().stream()
        .map(
            name ->
                new ResourceRef(
                    name.contains("/") ? name.substring(0, name.indexOf('/')) : "",
                    name.substring(name.indexOf('/') + 1)))
        .toList();
  }

  /**
   * The stores and routes of a control plane.
   *
   * @param shards the StoreShards there are, those of one of the same name before it among them
   * @param routed the resources that the model gives stores of their own
   * @param retained routes that claims of a control plane of this name carry, which was removed;
   *     asked only when nothing else says what was chosen
   */
  static StorageSpec of(
      ControlPlane controlPlane,
      Collection<StoreShard> shards,
      List<ResourceRef> routed,
      Supplier<Optional<String>> retained) {
    StorageSpec asked = controlPlane.getSpec().storage();
    if (StorageSpec.isExplicit(asked)) {
      return asked;
    }
    List<StoreRoute> routes = routes(controlPlane, shards, routed, retained);
    return StorageSpec.with(asked, stores(routes), routes);
  }

  private static List<StoreRoute> routes(
      ControlPlane controlPlane,
      Collection<StoreShard> shards,
      List<ResourceRef> routed,
      Supplier<Optional<String>> retained) {
    List<StoreShard> own =
        shards.stream().filter(shard -> shard.hasOwnerReferenceFor(controlPlane)).toList();
    if (own.isEmpty()) {
      return shownBefore(controlPlane)
          .or(() -> retained.get().map(StorePlan::parse))
          .orElseGet(() -> routes(routed));
    }
    List<String> chosen =
        own.stream()
            .flatMap(shard -> Optional.ofNullable(shard.getMetadata().getAnnotations()).stream())
            .flatMap(all -> Optional.ofNullable(all.get(StoreNames.ROUTES_ANNOTATION)).stream())
            .distinct()
            .toList();
    List<ResourceRef> byName = resourcesOf(own);
    if (chosen.isEmpty()) {
      // The stores that are there say what was chosen: each is named after its resource.
      return routes(byName);
    }
    List<StoreRoute> routes = parse(chosen.getFirst());
    boolean whole =
        byName.stream()
            .allMatch(
                resource -> routes.stream().anyMatch(r -> r.store().equals(resource.resource())));
    if (chosen.size() > 1 || !whole) {
      throw new NeedsPersonException(
          "annotation %s of the StoreShards is %s, which the operator did not write. Objects would vanish, so the operator changes nothing"
              .formatted(StoreNames.ROUTES_ANNOTATION, chosen),
          "Restore the annotation from a store with the right value.");
    }
    return routes;
  }

  /** What status shows of a control plane that was made: its stores may all be gone just now. */
  private static Optional<List<StoreRoute>> shownBefore(ControlPlane controlPlane) {
    return Optional.ofNullable(controlPlane.getStatus())
        .filter(status -> status.version() != null && status.version().applied() != null)
        .map(ControlPlaneStatus::stores)
        .map(
            stores ->
                stores.items().stream()
                    .filter(store -> store.resources() != null && !store.resources().isEmpty())
                    .map(store -> new StoreRoute(store.name(), store.resources()))
                    .toList())
        .filter(routes -> !routes.isEmpty());
  }

  private static List<ResourceRef> resourcesOf(List<StoreShard> shards) {
    List<String> stores =
        shards.stream()
            .flatMap(shard -> Optional.ofNullable(shard.getMetadata().getLabels()).stream())
            .flatMap(
                labels -> Optional.ofNullable(labels.get(ControlPlaneNames.STORE_LABEL)).stream())
            .toList();
    return ROUTABLE.stream().filter(resource -> stores.contains(resource.resource())).toList();
  }

  /** What a StoreShard carries of the choice. */
  public static String text(StorageSpec storage) {
    try {
      return JSON.writeValueAsString(StorageSpec.routes(storage));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the routes cannot be written", e);
    }
  }

  /** Whether routes that were written lead every resource where these do. */
  public static boolean isSame(String text, StorageSpec storage) {
    return isSame(text, storage, List.of());
  }

  /**
   * The same for all resources but those.
   *
   * @param moved resources whose routes may differ, since a task moved them
   */
  public static boolean isSame(String text, StorageSpec storage, Collection<ResourceRef> moved) {
    return places(parse(text), moved).equals(places(StorageSpec.routes(storage), moved));
  }

  private static Set<String> places(List<StoreRoute> routes, Collection<ResourceRef> moved) {
    return routes.stream()
        .flatMap(
            route ->
                route.resources().stream()
                    .filter(resource -> !moved.contains(resource))
                    .map(
                        resource ->
                            "%s/%s %s"
                                .formatted(
                                    resource.group() == null ? "" : resource.group(),
                                    resource.resource(),
                                    route.store())))
        .collect(Collectors.toSet());
  }

  private static List<StoreRoute> parse(String text) {
    try {
      return JSON.readValue(text, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new NeedsPersonException(
          "annotation %s of a StoreShard or a claim: '%s' was not written by the operator"
              .formatted(StoreNames.ROUTES_ANNOTATION, text),
          "Restore the annotation from another store of this control plane; see 'kubectl get storeshard,pvc -o yaml'.",
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

  private static List<StoreTemplate> stores(List<StoreRoute> routes) {
    List<StoreTemplate> stores = new ArrayList<>(StorageSpec.stores(null));
    routes.stream()
        .map(StoreRoute::store)
        .filter(name -> stores.stream().noneMatch(store -> store.name().equals(name)))
        .forEach(
            name ->
                stores.add(new StoreTemplate(name, Criticality.Critical, null, null, null, null)));
    return stores;
  }

  /** The resources that the model gives stores of their own, and the plan does not. */
  static List<ResourceRef> missing(StorageSpec storage, List<ResourceRef> routed) {
    List<ResourceRef> there =
        StorageSpec.routes(storage).stream().flatMap(route -> route.resources().stream()).toList();
    return routed.stream().filter(resource -> !there.contains(resource)).toList();
  }
}
