// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.net.IpAddresses;
import io.fabric8.kubernetes.api.model.Service;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Where a store is reached, and what is said when that changed. Pure. */
public final class StoreAddress {
  private StoreAddress() {}

  /** The URL at which a Service leads to the store, once it has an address. */
  public static Optional<String> url(Optional<Service> service) {
    return service
        .map(there -> there.getSpec().getClusterIP())
        .filter(address -> address != null && !address.isEmpty())
        .map(address -> "https://" + IpAddresses.urlHost(address) + ":" + StoreService.CLIENT_PORT);
  }

  /** The addresses that status tells of; an older operator told the URL alone. */
  static Optional<ServiceAddresses> known(StoreShard shard) {
    Optional<StoreShardStatus> status = Optional.ofNullable(shard.getStatus());
    return status
        .map(StoreShardStatus::service)
        .or(
            () ->
                status
                    .map(StoreShardStatus::endpoint)
                    .map(
                        url ->
                            new ServiceAddresses(
                                shard.getMetadata().getName(),
                                List.of(URI.create(url).getHost().replaceAll("[\\[\\]]", "")),
                                null,
                                null)));
  }

  /** What follows from an address that could not be had again, and what to do. */
  public static Optional<String> lost(StoreShard shard, Optional<Service> service) {
    List<String> lost =
        service
            .map(there -> KeptAddresses.lost(there, KeptAddresses.Field.clusterIPs))
            .orElse(List.of());
    if (lost.isEmpty()) {
      return Optional.empty();
    }
    String namespace = shard.getMetadata().getNamespace();
    String name = shard.getMetadata().getName();
    return Optional.of(
        "Service %s was deleted. Its address %s is taken or out of range. The store now has the address %s. The operator restarts the components of the control plane with the new address. Give the new address to your own clients. To clear this message, run 'kubectl -n %s annotate service %s %s-'."
            .formatted(
                name,
                String.join(", ", lost),
                service.get().getSpec().getClusterIP(),
                namespace,
                name,
                KeptAddresses.LOST));
  }
}
