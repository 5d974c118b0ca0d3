// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;

/**
 * What is there of a control plane, before its certificates are brought up to date. Immutable.
 *
 * @param shards the StoreShards in the order of the spec; a store without one yet is left out
 * @param service the API's
 * @param found where clients could reach the API now
 * @param published what they are told
 * @param servingNames stands for the names that the apiservers' certificate is to have
 * @param pods of the components
 * @param orders what running tasks ask for
 * @param routes the Services of single resources
 */
public record Sighting(
    Sized sized,
    List<StoreShard> shards,
    Optional<Service> service,
    EndpointAddress.Result found,
    EndpointAddress.Result published,
    Optional<String> servingNames,
    List<Deployment> deployments,
    List<Pod> pods,
    Scheduling scheduling,
    TaskOrders orders,
    RoutesSeen routes) {

  /** Without Services of single resources. */
  public Sighting(
      Sized sized,
      List<StoreShard> shards,
      Optional<Service> service,
      EndpointAddress.Result found,
      EndpointAddress.Result published,
      Optional<String> servingNames,
      List<Deployment> deployments,
      List<Pod> pods,
      Scheduling scheduling,
      TaskOrders orders) {
    this(
        sized,
        shards,
        service,
        found,
        published,
        servingNames,
        deployments,
        pods,
        scheduling,
        orders,
        RoutesSeen.NONE);
  }

  /** The same with other Deployments and pods. */
  public Sighting with(List<Deployment> deployments, List<Pod> pods) {
    return new Sighting(
        sized,
        shards,
        service,
        found,
        published,
        servingNames,
        deployments,
        pods,
        scheduling,
        orders,
        routes);
  }

  /** The address of the API's Service inside the management cluster, once it has one. */
  public Optional<String> serviceAddress() {
    return address(service);
  }

  static Optional<String> address(Optional<Service> service) {
    return service.map(s -> s.getSpec().getClusterIP()).filter(ip -> !ip.isEmpty());
  }

  /** Where a store is, by its StoreShard's name, once it has an address. */
  public Optional<String> storeUrl(String shard) {
    return shards.stream()
        .filter(any -> any.getMetadata().getName().equals(shard))
        .findFirst()
        .map(StoreShard::getStatus)
        .map(status -> status.endpoint());
  }
}
