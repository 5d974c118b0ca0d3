// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a pool says of the network of its hosts. Immutable; "" stands for what is not set.
 *
 * @param source StaticPrefix, HostPrefix or DelegatedPrefix
 * @param delegatedFile absolute path of a file of the host with its prefix
 * @param metadataUrl of the provider's metadata service; {@code {mac}} stands for a MAC address
 * @param metadataSession None or IMDSv2
 * @param neighborDiscovery None, KernelProxy or Ndppd
 * @param interfaceName by which all packets of pods leave
 * @param mtu in bytes; empty for that of the host's interface
 * @param nat64Prefix an IPv6 CIDR
 * @param nat64Resolvers addresses of resolvers with DNS64
 * @param firewall whether the script filters packets to the host
 * @param tcpPorts that a firewall leaves open, without the kubelet's
 * @param udpPorts that a firewall leaves open
 */
public record HostNetwork(
    String source,
    String delegatedFile,
    String metadataUrl,
    String metadataSession,
    String neighborDiscovery,
    String interfaceName,
    OptionalInt mtu,
    String nat64Prefix,
    List<String> nat64Resolvers,
    boolean firewall,
    List<Integer> tcpPorts,
    List<Integer> udpPorts) {

  /** A prefix that is routed to the host, and nothing else. */
  public static final HostNetwork PLAIN =
      new HostNetwork(
          "StaticPrefix",
          "",
          "",
          "None",
          "None",
          "",
          OptionalInt.empty(),
          "",
          List.of(),
          false,
          List.of(),
          List.of());

  /** Copies what can be changed. */
  public HostNetwork {
    nat64Resolvers = List.copyOf(nat64Resolvers);
    tcpPorts = List.copyOf(tcpPorts);
    udpPorts = List.copyOf(udpPorts);
  }
}
