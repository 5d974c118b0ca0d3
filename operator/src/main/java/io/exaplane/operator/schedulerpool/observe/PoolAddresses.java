// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.fabric8.kubernetes.api.model.Service;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The addresses of a pool's Services, as status keeps them. Pure. */
public final class PoolAddresses {
  private PoolAddresses() {}

  /** What status tells of the Service of this name. */
  public static Optional<ServiceAddresses> known(SchedulerPool pool, String service) {
    return before(pool).stream().filter(known -> known.name().equals(service)).findFirst();
  }

  /** What status is to tell, by name: what is there, and of a Service that is lost, what it had. */
  public static List<ServiceAddresses> next(SchedulerPool pool, Collection<Service> services) {
    PoolNames names = new PoolNames(pool);
    List<String> wanted =
        Stream.of(Tier.ROOT, Tier.RELAY)
            .flatMap(tier -> names.members(tier, tier.replicas(pool.getSpec())).stream())
            .toList();
    TreeMap<String, ServiceAddresses> all = new TreeMap<>();
    before(pool).forEach(known -> all.put(known.name(), known));
    services.stream()
        .map(KeptAddresses::of)
        .flatMap(Optional::stream)
        .forEach(known -> all.put(known.name(), known));
    all.keySet().retainAll(wanted);
    return all.isEmpty() ? null : List.copyOf(all.values());
  }

  /** What follows from addresses that could not be had again. */
  public static Optional<String> lost(Collection<Service> services) {
    List<Service> others =
        services.stream()
            .filter(
                service -> !KeptAddresses.lost(service, KeptAddresses.Field.clusterIPs).isEmpty())
            .toList();
    if (others.isEmpty()) {
      return Optional.empty();
    }
    Service first = others.getFirst();
    return Optional.of(
        "Service %s was deleted. Its address %s is taken or out of range, so the operator replaced the pods that used it. To clear this message, run 'kubectl -n %s annotate service %s %s-'."
            .formatted(
                first.getMetadata().getName(),
                String.join(", ", KeptAddresses.lost(first, KeptAddresses.Field.clusterIPs)),
                first.getMetadata().getNamespace(),
                first.getMetadata().getName(),
                KeptAddresses.LOST));
  }

  private static List<ServiceAddresses> before(SchedulerPool pool) {
    return Optional.ofNullable(pool.getStatus())
        .map(SchedulerPoolStatus::services)
        .orElse(List.of());
  }
}
