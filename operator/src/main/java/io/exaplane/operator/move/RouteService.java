// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.operator.address.AddressRefusal;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.dependent.Adoption;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.net.IpAddresses;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The Service by which kube-apiservers reach one resource, wherever that is: its selector is that
 * of one store's pod. It is created once and stays; after that, only {@link Routes#select} changes
 * it. Stateless.
 */
public final class RouteService {
  /** As a store's own Service. */
  static final int PORT = 2379;

  private RouteService() {}

  /**
   * A Service that does not exist yet. It asks for the address that status tells of. Pure.
   *
   * @param store name of the store that it leads to
   */
  public static Service render(ControlPlane controlPlane, ResourceRef resource, String store) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    Service wanted =
        new ServiceBuilder()
            .withNewMetadata()
            .withName(names.route(resource))
            .withNamespace(controlPlane.getMetadata().getNamespace())
            .withLabels(names.routeLabels(resource))
            .endMetadata()
            .withNewSpec()
            .withType("ClusterIP")
            .withSelector(selector(names, store))
            .addNewPort()
            .withName("etcd-client")
            .withPort(PORT)
            .withTargetPort(new IntOrString("client"))
            .withProtocol("TCP")
            .endPort()
            .endSpec()
            .build();
    Service asks =
        KeptAddresses.ask(
            wanted,
            Optional.empty(),
            told(controlPlane, resource)
                .map(
                    address ->
                        new ServiceAddresses(names.route(resource), List.of(address), null, null)));
    asks.addOwnerReference(controlPlane);
    return asks;
  }

  /** The labels by which the pod of a store is selected. Pure. */
  static Map<String, String> selector(ControlPlaneNames names, String store) {
    return Map.of(StoreNames.SHARD_LABEL, names.shard(store));
  }

  /** The address that status tells of. */
  private static Optional<String> told(ControlPlane controlPlane, ResourceRef resource) {
    return Optional.ofNullable(controlPlane.getStatus()).map(ControlPlaneStatus::routes).stream()
        .flatMap(List::stream)
        .filter(route -> route.resource().equals(resource))
        .map(Route::address)
        .findFirst();
  }

  /**
   * Creates the Service, or takes over one that a backup tool restored.
   *
   * @return what there is then
   */
  public static Service create(
      ControlPlane controlPlane, ResourceRef resource, String store, KubernetesClient client) {
    return create(render(controlPlane, resource, store), controlPlane, client);
  }

  /** The same of one that was rendered; one that exists by now stays as it is. */
  public static Service create(Service wanted, ControlPlane controlPlane, KubernetesClient client) {
    Service there = client.resource(wanted).get();
    if (there != null && there.hasOwnerReferenceFor(controlPlane)) {
      return there;
    }
    return Adoption.create(
        wanted,
        controlPlane,
        client,
        free -> AddressRefusal.create(free, asks -> client.resource(asks).create()));
  }

  /** Whether a Service selects the pod of this store, and nothing else. Pure. */
  public static boolean leadsTo(Service service, String store, ControlPlane controlPlane) {
    return selector(new ControlPlaneNames(controlPlane), store)
        .equals(service.getSpec().getSelector());
  }

  /** The address, once the Service has one. Pure. */
  public static Optional<String> address(Service service) {
    return Optional.ofNullable(service.getSpec().getClusterIP())
        .filter(address -> !address.isEmpty() && !address.equals("None"));
  }

  /** The URL by which kube-apiservers reach an address. Pure. */
  public static String url(String address) {
    return "https://" + IpAddresses.urlHost(address) + ":" + PORT;
  }

  /** Name of the store that a Service leads to; empty if a person changed the selector. Pure. */
  public static Optional<String> store(Service service, ControlPlane controlPlane) {
    return Optional.ofNullable(service.getSpec().getSelector())
        .map(selector -> selector.get(StoreNames.SHARD_LABEL))
        .filter(Objects::nonNull)
        .flatMap(new ControlPlaneNames(controlPlane)::storeOf);
  }
}
