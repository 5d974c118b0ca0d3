// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.api.v1alpha1.AddressSource;
import io.exaplane.api.v1alpha1.HostAddress;
import io.exaplane.api.v1alpha1.NodeAddressesSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.net.AddressRange;
import io.fabric8.kubernetes.api.model.Node;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The networks of a NodePool. Immutable.
 *
 * @param pool name of the NodePool
 * @param prefixes where the prefixes of its nodes are; none if the pool has no addresses
 * @param holdsHosts whether the hosts' own addresses are there, too, by the source of the pool
 */
public record PoolNetwork(String pool, List<AddressRange> prefixes, boolean holdsHosts) {
  public PoolNetwork {
    prefixes = List.copyOf(prefixes);
  }

  /** Of all pools, by name. */
  public static List<PoolNetwork> of(Collection<NodePool> pools) {
    return pools.stream()
        .sorted(Comparator.comparing(pool -> pool.getMetadata().getName()))
        .map(
            pool ->
                new PoolNetwork(
                    pool.getMetadata().getName(),
                    prefixes(pool.getSpec().addresses()),
                    holdsHosts(pool.getSpec().addresses())))
        .toList();
  }

  private static List<AddressRange> prefixes(NodeAddressesSpec addresses) {
    return addresses == null
        ? List.of()
        : addresses.prefixes().stream()
            .flatMap(prefix -> AddressRange.parse(prefix).stream())
            .toList();
  }

  private static boolean holdsHosts(NodeAddressesSpec addresses) {
    return addresses != null
        && (addresses.source() == AddressSource.HostPrefix
            || addresses.source() == AddressSource.RequestedPrefix
                && addresses.requested() != null
                && addresses.requested().hostAddress() == HostAddress.FromPrefix);
  }

  /**
   * The pool that a node is of: by spec.podCIDRs, which nobody can change, before the label, which
   * the node writes itself.
   */
  static Optional<PoolNetwork> of(Node node, List<PoolNetwork> pools) {
    return pools.stream()
        .filter(pool -> pods(node).anyMatch(pool::covers))
        .findFirst()
        .or(() -> pools.stream().filter(pool -> pool.pool().equals(label(node))).findFirst());
  }

  private static Stream<AddressRange> pods(Node node) {
    return node.getSpec() == null || node.getSpec().getPodCIDRs() == null
        ? Stream.empty()
        : node.getSpec().getPodCIDRs().stream().flatMap(cidr -> AddressRange.parse(cidr).stream());
  }

  private static String label(Node node) {
    return node.getMetadata().getLabels() == null
        ? null
        : node.getMetadata().getLabels().get(NodePoolNames.NODE_LABEL);
  }

  private boolean covers(AddressRange pods) {
    return prefixes.stream()
        .anyMatch(prefix -> prefix.prefixBits() <= pods.prefixBits() && prefix.overlaps(pods));
  }

  /** Whether an address is in one of the networks. */
  boolean contains(InetAddress address) {
    return prefixes.stream().anyMatch(prefix -> prefix.contains(address));
  }
}
