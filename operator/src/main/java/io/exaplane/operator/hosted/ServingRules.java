// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.net.IpAddresses;
import io.fabric8.kubernetes.api.model.Node;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which names and addresses the kubelets of a cluster may serve at all, whatever their nodes say of
 * themselves. Immutable.
 *
 * @param reserved names and addresses of the API, which no node may serve
 * @param clusterDomain below which, and below svc, the names of Services are
 * @param notOfNodes addresses of Services and of pods
 * @param ofNodes where the ControlPlane says that its nodes are; empty when it says nothing, and
 *     then the pools count
 * @param pools the networks of its NodePools
 */
public record ServingRules(
    Set<String> reserved,
    String clusterDomain,
    List<AddressRange> notOfNodes,
    List<AddressRange> ofNodes,
    List<PoolNetwork> pools) {

  /** What resolvers take for an IPv4 address: RFC 1123 keeps the last label free of it. */
  private static final Pattern LIKE_AN_ADDRESS = Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)");

  /** Those of a cluster without NodePools. */
  public ServingRules(
      Set<String> reserved,
      String clusterDomain,
      List<AddressRange> notOfNodes,
      List<AddressRange> ofNodes) {
    this(reserved, clusterDomain, notOfNodes, ofNodes, List.of());
  }

  /** Those of a ControlPlane and its NodePools. */
  public static ServingRules of(
      ControlPlane controlPlane, Set<String> apiNames, Collection<NodePool> pools) {
    NetworkSpec network = controlPlane.getSpec().network();
    return new ServingRules(
        apiNames,
        NetworkSpec.clusterDomain(network),
        Stream.of(NetworkSpec.serviceCIDRs(network), NetworkSpec.podCIDRs(network))
            .flatMap(List::stream)
            .map(AddressRange::of)
            .toList(),
        NetworkSpec.nodeCIDRs(network).stream().map(AddressRange::of).toList(),
        PoolNetwork.of(pools));
  }

  /** Why no kubelet may serve a node's name; empty when it may. */
  Optional<String> objectionToName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (reserved.stream().anyMatch(lower::equalsIgnoreCase)) {
      return Optional.of("the name '%s' is the API's".formatted(name));
    }
    if (isAtOrBelow(lower, "svc")
        || isAtOrBelow(lower, clusterDomain)
        || isAtOrBelow(lower, "localhost")) {
      return Optional.of("the name '%s' can be a Service's".formatted(name));
    }
    return IpAddresses.parse(lower).isPresent() || LIKE_AN_ADDRESS.matcher(lower).matches()
        ? Optional.of("the name '%s' can be taken for an address".formatted(name))
        : Optional.empty();
  }

  private static boolean isAtOrBelow(String name, String domain) {
    return name.equals(domain) || name.endsWith("." + domain);
  }

  /**
   * Why a node's kubelet may not serve an address; empty when it may.
   *
   * @param recorded whether this node had a certificate for an address before; asked only where
   *     that decides
   */
  Optional<String> objectionToAddress(
      InetAddress address, Node node, Predicate<InetAddress> recorded) {
    String text = address.getHostAddress();
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isMulticastAddress()) {
      return Optional.of("the address %s is not one node's alone".formatted(text));
    }
    if (reserved.stream().map(IpAddresses::parse).anyMatch(Optional.of(address)::equals)) {
      return Optional.of("the address %s is the API's".formatted(text));
    }
    Optional<AddressRange> others =
        notOfNodes.stream().filter(range -> range.contains(address)).findFirst();
    if (others.isPresent()) {
      return Optional.of(
          "the address %s is in %s, which is for Services or pods"
              .formatted(text, others.get().text()));
    }
    if (ofNodes.isEmpty()) {
      return byPools(address, node, recorded);
    }
    return ofNodes.stream().anyMatch(range -> range.contains(address))
        ? Optional.empty()
        : Optional.of(
            "the address %s is in none of spec.network.nodeCIDRs of the ControlPlane"
                .formatted(text));
  }

  /**
   * What the pools say where the ControlPlane says nothing. Where each pool knows its hosts'
   * addresses, a node that hides its pool gets none beside these; one that had others keeps them.
   */
  private Optional<String> byPools(
      InetAddress address, Node node, Predicate<InetAddress> recorded) {
    String text = address.getHostAddress();
    Optional<PoolNetwork> own = PoolNetwork.of(node, pools);
    if (own.isPresent()) {
      return own.filter(PoolNetwork::holdsHosts)
          .filter(pool -> !pool.contains(address))
          .map(
              pool ->
                  "the address %s is in none of spec.addresses.prefixes of NodePool %s"
                      .formatted(text, pool.pool()));
    }
    boolean known =
        pools.isEmpty()
            || pools.stream().anyMatch(pool -> !pool.holdsHosts() || pool.contains(address))
            || recorded.test(address);
    return known
        ? Optional.empty()
        : Optional.of(
            ("the node has no NodePool, and the address %s is in none of spec.addresses.prefixes"
                    + " of the NodePools; set spec.network.nodeCIDRs of the ControlPlane, or label"
                    + " the node")
                .formatted(text));
  }
}
