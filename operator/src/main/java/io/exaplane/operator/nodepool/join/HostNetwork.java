// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a pool says of the network of its hosts. Immutable; "" stands for what is not set.
 *
 * @param source StaticPrefix, HostPrefix, DelegatedPrefix or RequestedPrefix
 * @param delegatedFile absolute path of a file of the host with its prefix
 * @param metadataUrl of the provider's metadata service; {@code {mac}} stands for a MAC address
 * @param metadataSession None or IMDSv2
 * @param neighborDiscovery None, KernelProxy, Ndppd, or Auto for what each host finds
 * @param interfaceName by which all packets of pods leave
 * @param podLink Bridge or PointToPoint
 * @param mtu in bytes; empty for that of the host's interface
 * @param nat64Prefix an IPv6 CIDR
 * @param nat64Resolvers addresses of resolvers with DNS64
 * @param firewall whether the script filters packets to the host
 * @param tcpPorts that a firewall leaves open, without the kubelet's
 * @param udpPorts that a firewall leaves open
 * @param requested what a host of RequestedPrefix asks for; empty for other sources
 */
public record HostNetwork(
    String source,
    String delegatedFile,
    String metadataUrl,
    String metadataSession,
    String neighborDiscovery,
    String interfaceName,
    String podLink,
    OptionalInt mtu,
    String nat64Prefix,
    List<String> nat64Resolvers,
    boolean firewall,
    List<Integer> tcpPorts,
    List<Integer> udpPorts,
    Optional<Requested> requested) {

  /**
   * What a host asks its DHCPv6 server for.
   *
   * @param length of the prefix, in bits
   * @param ownAddress whether the host takes its own address from the prefix
   */
  public record Requested(int length, boolean ownAddress) {}

  static final String REQUESTED = "RequestedPrefix";

  private static final String AUTO = "Auto";

  /** Of hosts that ask no DHCPv6 server. */
  public HostNetwork(
      String source,
      String delegatedFile,
      String metadataUrl,
      String metadataSession,
      String neighborDiscovery,
      String interfaceName,
      String podLink,
      OptionalInt mtu,
      String nat64Prefix,
      List<String> nat64Resolvers,
      boolean firewall,
      List<Integer> tcpPorts,
      List<Integer> udpPorts) {
    this(
        source,
        delegatedFile,
        metadataUrl,
        metadataSession,
        neighborDiscovery,
        interfaceName,
        podLink,
        mtu,
        nat64Prefix,
        nat64Resolvers,
        firewall,
        tcpPorts,
        udpPorts,
        Optional.empty());
  }

  /** A prefix that is routed to the host, and nothing else. */
  public static final HostNetwork PLAIN =
      new HostNetwork(
          "StaticPrefix",
          "",
          "",
          "None",
          "None",
          "",
          "Bridge",
          OptionalInt.empty(),
          "",
          List.of(),
          false,
          List.of(),
          List.of());

  /** Whether each host finds out who has to answer for its pods. */
  boolean isAuto() {
    return neighborDiscovery.equals(AUTO);
  }

  /** The same hosts, which ask for a prefix. */
  public HostNetwork asking(Requested what) {
    return new HostNetwork(
        REQUESTED,
        "",
        "",
        "None",
        neighborDiscovery,
        interfaceName,
        podLink,
        mtu,
        nat64Prefix,
        nat64Resolvers,
        firewall,
        tcpPorts,
        udpPorts,
        Optional.of(what));
  }

  /** Copies what can be changed. */
  public HostNetwork {
    if (requested.isPresent() != source.equals(REQUESTED)) {
      throw new IllegalArgumentException(
          "requested %s belongs to the source %s, which needs it, and source is %s; set both or neither"
              .formatted(requested, REQUESTED, source));
    }
    nat64Resolvers = List.copyOf(nat64Resolvers);
    tcpPorts = List.copyOf(tcpPorts);
    udpPorts = List.copyOf(udpPorts);
  }
}
