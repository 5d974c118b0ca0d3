// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.NodeAddressesSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.ClusterPlan.Reserved;
import io.exaplane.operator.nodepool.address.PoolPlan;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the nodes of a ControlPlane's pools may have, from the specs. Pure. */
public final class ClusterPlans {
  private static final int IPV6_BYTES = 16;

  /** IPv6 addresses that no pod can have, in whatever cluster: RFC 4291, section 2.4. */
  private static final List<Taken> SPECIAL =
      List.of(
          new Taken("unspecified, loopback and mapped addresses", "::/8"),
          new Taken("link-local addresses", "fe80::/10"),
          new Taken("multicast addresses", "ff00::/8"));

  private ClusterPlans() {}

  /**
   * The plan of a ControlPlane.
   *
   * @param pools its pools that are not being deleted
   * @param mayHaveAddresses whether nothing is wrong with the addresses of a pool; the nodes of the
   *     others are only counted
   */
  public static ClusterPlan of(
      ControlPlane controlPlane,
      List<NodePool> pools,
      List<Taken> taken,
      Predicate<NodePool> mayHaveAddresses) {
    return new ClusterPlan(
        pools.stream()
            .sorted(Comparator.comparing(pool -> pool.getMetadata().getName()))
            .map(
                pool ->
                    pool.getSpec().addresses() != null && mayHaveAddresses.test(pool)
                        ? withAddresses(pool)
                        : counted(pool))
            .toList(),
        reserved(controlPlane, taken));
  }

  /** The plan of a pool that has addresses, be they refused or not. */
  public static PoolPlan withAddresses(NodePool pool) {
    NodeAddressesSpec addresses = pool.getSpec().addresses();
    return new PoolPlan(
        pool.getMetadata().getName(),
        OptionalInt.of(addresses.podPrefixLength()),
        addresses.prefixes().stream().map(AddressRange::of).toList(),
        pool.getSpec().maxNodes());
  }

  private static PoolPlan counted(NodePool pool) {
    return new PoolPlan(
        pool.getMetadata().getName(), OptionalInt.empty(), List.of(), pool.getSpec().maxNodes());
  }

  /** IPv6 addresses that no pod may have: of Services, of the management cluster, and special. */
  public static List<Reserved> reserved(ControlPlane controlPlane, List<Taken> taken) {
    Stream<Optional<Reserved>> services =
        NetworkSpec.serviceCIDRs(controlPlane.getSpec().network()).stream()
            .map(cidr -> reserved("Services", cidr));
    Stream<Optional<Reserved>> management =
        taken.stream()
            .map(each -> reserved("the management cluster's " + each.what(), each.range()));
    Stream<Optional<Reserved>> special =
        SPECIAL.stream().map(each -> reserved(each.what(), each.range()));
    return Stream.of(services, management, special)
        .flatMap(Function.identity())
        .flatMap(Optional::stream)
        .filter(each -> each.range().address().length == IPV6_BYTES)
        .distinct()
        .toList();
  }

  private static Optional<Reserved> reserved(String what, String range) {
    return AddressRange.parse(range).map(parsed -> new Reserved(what, parsed));
  }
}
