// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import io.exaplane.api.v1alpha1.AddressSource;
import io.exaplane.api.v1alpha1.HostAddress;
import io.exaplane.api.v1alpha1.MetadataSession;
import io.exaplane.api.v1alpha1.Nat64Spec;
import io.exaplane.api.v1alpha1.NeighborDiscovery;
import io.exaplane.api.v1alpha1.NodeAddressesSpec;
import io.exaplane.api.v1alpha1.NodeDelegatedSpec;
import io.exaplane.api.v1alpha1.NodeFirewallSpec;
import io.exaplane.api.v1alpha1.NodeNetworkSpec;
import io.exaplane.api.v1alpha1.NodePoolSpec;
import io.exaplane.api.v1alpha1.NodeRequestedSpec;
import io.exaplane.api.v1alpha1.PodLink;
import io.exaplane.operator.nodepool.join.HostNetwork;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** What a pool's spec says of the network of its hosts, with the defaults filled in. Pure. */
final class HostNetworks {
  private HostNetworks() {}

  static HostNetwork of(NodePoolSpec spec) {
    NodeAddressesSpec addresses = spec.addresses();
    NodeDelegatedSpec delegated =
        addresses == null || addresses.delegated() == null
            ? new NodeDelegatedSpec(null, null, null)
            : addresses.delegated();
    NodeNetworkSpec network = NodeNetworkSpec.of(spec.network());
    Nat64Spec nat64 = network.nat64();
    NodeFirewallSpec firewall =
        spec.firewall() == null ? new NodeFirewallSpec(null, null, null) : spec.firewall();
    return new HostNetwork(
        addresses == null ? HostNetwork.PLAIN.source() : addresses.source().name(),
        text(delegated.file()),
        text(delegated.metadataURL()),
        Objects.requireNonNullElse(delegated.metadataSession(), MetadataSession.None).name(),
        neighbors(addresses).name(),
        addresses == null ? "" : text(addresses.interfaceName()),
        Objects.requireNonNullElse(network.podLink(), PodLink.Bridge).name(),
        network.mtu() == null ? OptionalInt.empty() : OptionalInt.of(network.mtu()),
        nat64 == null ? "" : nat64.translated(),
        nat64 == null ? List.of() : Objects.requireNonNullElse(nat64.resolvers(), List.of()),
        firewall.manages(),
        firewall.manages() ? firewall.openTcp() : List.of(),
        firewall.manages() ? firewall.openUdp() : List.of(),
        requested(addresses));
  }

  private static Optional<HostNetwork.Requested> requested(NodeAddressesSpec addresses) {
    if (addresses == null || addresses.source() != AddressSource.RequestedPrefix) {
      return Optional.empty();
    }
    NodeRequestedSpec asked =
        addresses.requested() == null ? new NodeRequestedSpec(null, null) : addresses.requested();
    return Optional.of(
        new HostNetwork.Requested(
            Objects.requireNonNullElse(asked.length(), addresses.podPrefixLength()),
            asked.hostAddress() == HostAddress.FromPrefix));
  }

  private static NeighborDiscovery neighbors(NodeAddressesSpec addresses) {
    return addresses == null
        ? NeighborDiscovery.None
        : Objects.requireNonNullElse(addresses.neighborDiscovery(), NeighborDiscovery.None);
  }

  private static String text(String value) {
    return Objects.requireNonNullElse(value, "");
  }
}
