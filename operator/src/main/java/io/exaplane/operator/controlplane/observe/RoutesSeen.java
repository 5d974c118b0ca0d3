// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.move.RouteService;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.Service;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The Services by which kube-apiservers reach single resources. Immutable.
 *
 * @param routes the resources that are reached so, in the order in which they began to be: what
 *     status tells, and what kube-apiserver's flag says
 * @param addresses of all such Services, also of those that are being prepared: the certificates of
 *     stores have these
 * @param services that exist
 * @param told the routes as status tells them
 */
public record RoutesSeen(
    List<Route> routes, SortedSet<String> addresses, List<Service> services, List<Route> told) {
  public static final RoutesSeen NONE =
      new RoutesSeen(List.of(), new TreeSet<>(), List.of(), List.of());

  /**
   * Of a control plane.
   *
   * @param all Services of the control plane
   * @param storage the stores and routes in force
   */
  static RoutesSeen of(
      ControlPlane controlPlane, Collection<Service> all, TaskOrders orders, StorageSpec storage) {
    List<Route> told =
        Optional.ofNullable(controlPlane.getStatus())
            .map(ControlPlaneStatus::routes)
            .orElse(List.of());
    List<Service> services = all.stream().filter(RoutesSeen::isRoute).toList();
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    List<Route> routes = new ArrayList<>();
    Stream.concat(told.stream().map(Route::resource), orders.routed().stream())
        .distinct()
        .forEach(
            resource ->
                route(
                        resource,
                        told,
                        find(services, names.route(resource)),
                        orders.selected(resource, storage),
                        controlPlane)
                    .ifPresent(routes::add));
    SortedSet<String> addresses = new TreeSet<>();
    routes.forEach(route -> addresses.add(route.address()));
    services.forEach(service -> RouteService.address(service).ifPresent(addresses::add));
    return new RoutesSeen(List.copyOf(routes), addresses, services, told);
  }

  /** Whether a Service is one of these. */
  public static boolean isRoute(Service service) {
    return service.getMetadata().getLabels() != null
        && service.getMetadata().getLabels().containsKey(ControlPlaneNames.ROUTE_LABEL);
  }

  /** The Service of a resource, if it exists. */
  public Optional<Service> service(ResourceRef resource, ControlPlane controlPlane) {
    return find(services, new ControlPlaneNames(controlPlane).route(resource));
  }

  /**
   * The addresses at which a store may be reached beside its own. A certificate that has them
   * before a move is one that no switch waits for.
   */
  public SortedSet<String> addresses(StoreTemplate store) {
    boolean mayHave =
        store.effectiveEngine() == StoreEngine.Memory
            && VolumeSpec.type(store.storage(), store.effectiveCriticality()).outlivesPod();
    return mayHave ? addresses : new TreeSet<>();
  }

  /**
   * The store that a Service is to lead to, if it leads elsewhere and no task moves its resource.
   *
   * @param storage the stores and routes in force
   */
  public Optional<String> strayed(
      Service service, ControlPlane controlPlane, TaskOrders orders, StorageSpec storage) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    return routes.stream()
        .map(Route::resource)
        .filter(resource -> names.route(resource).equals(service.getMetadata().getName()))
        .filter(
            resource -> orders.moves().stream().noneMatch(move -> move.resource().equals(resource)))
        .map(resource -> orders.selected(resource, storage))
        .filter(store -> !RouteService.leadsTo(service, store, controlPlane))
        .findFirst();
  }

  /**
   * Name of the store that kube-apiservers reach for a resource: that of its Service, or of the
   * spec. They differ from a switch until the spec has the new route.
   *
   * @param storage the stores and routes in force
   */
  public String store(ResourceRef resource, StorageSpec storage) {
    return routes.stream()
        .filter(route -> route.resource().equals(resource))
        .map(Route::store)
        .findFirst()
        .orElseGet(() -> StorageSpec.storeOf(StorageSpec.routes(storage), resource));
  }

  /** The address that status tells of a resource. */
  public Optional<String> told(ResourceRef resource) {
    return address(told, resource);
  }

  private static Optional<String> address(List<Route> routes, ResourceRef resource) {
    return routes.stream()
        .filter(route -> route.resource().equals(resource))
        .map(Route::address)
        .findFirst();
  }

  private static Optional<Service> find(List<Service> services, String name) {
    return services.stream()
        .filter(service -> service.getMetadata().getName().equals(name))
        .findFirst();
  }

  /** By its Service; by what status tells while that does not exist. */
  private static Optional<Route> route(
      ResourceRef resource,
      List<Route> told,
      Optional<Service> service,
      String selected,
      ControlPlane controlPlane) {
    String store =
        service.flatMap(there -> RouteService.store(there, controlPlane)).orElse(selected);
    return service
        .flatMap(RouteService::address)
        .or(() -> address(told, resource))
        .map(address -> new Route(resource, store, address));
  }
}
