// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The network of hosts as assignments of the join script. Pure. */
final class HostNetworkText {
  private static final Pattern SOURCE =
      Pattern.compile("StaticPrefix|HostPrefix|DelegatedPrefix|RequestedPrefix");
  private static final Pattern FILE = Pattern.compile("(/[A-Za-z0-9._/-]+)?");
  private static final Pattern URL =
      Pattern.compile("(http://[A-Za-z0-9.:\\[\\]-]+/[A-Za-z0-9._~{}/-]*)?");
  private static final Pattern SESSION = Pattern.compile("None|IMDSv2");
  private static final Pattern NEIGHBORS = Pattern.compile("None|KernelProxy|Ndppd|Auto");
  private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9._-]{0,15}");
  private static final Pattern POD_LINK = Pattern.compile("Bridge|PointToPoint");
  private static final Pattern CIDR = Pattern.compile("([0-9A-Fa-f.:]+/\\d{1,3})?");
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f.:]+");

  /** Where the client of a host notes what the server delegates. */
  private static final String LEASE = "/run/exaplane/requested";

  private HostNetworkText() {}

  /**
   * The assignments.
   *
   * @throws IllegalArgumentException with field, value and rule, for a value that no host can take
   */
  static String render(HostNetwork network) {
    JoinScript.require(SOURCE, "source", network.source(), "be a source of prefixes");
    JoinScript.require(FILE, "file", network.delegatedFile(), "be an absolute path");
    JoinScript.require(URL, "metadataURL", network.metadataUrl(), "be a URL with http://");
    JoinScript.require(SESSION, "metadataSession", network.metadataSession(), "be None or IMDSv2");
    JoinScript.require(
        NEIGHBORS,
        "neighborDiscovery",
        network.neighborDiscovery(),
        "be None, KernelProxy, Ndppd or Auto");
    JoinScript.require(
        INTERFACE, "interfaceName", network.interfaceName(), "be the name of an interface");
    JoinScript.require(POD_LINK, "podLink", network.podLink(), "be Bridge or PointToPoint");
    JoinScript.require(CIDR, "nat64.prefix", network.nat64Prefix(), "be a CIDR");
    network
        .nat64Resolvers()
        .forEach(r -> JoinScript.require(ADDRESS, "nat64.resolvers", r, "be an IP address"));
    return ShellText.assignment("SOURCE", network.source())
        + ShellText.assignment(
            "DELEGATED_FILE", network.requested().isPresent() ? LEASE : network.delegatedFile())
        + network.requested().map(HostNetworkText::requested).orElse("")
        + ShellText.assignment("METADATA_URL", network.metadataUrl())
        + ShellText.assignment("METADATA_SESSION", network.metadataSession())
        + ShellText.assignment("NEIGHBORS", network.neighborDiscovery())
        + ShellText.assignment("INTERFACE", network.interfaceName())
        + ShellText.assignment("POD_LINK", network.podLink())
        + ShellText.assignment(
            "MTU", network.mtu().isPresent() ? Integer.toString(network.mtu().getAsInt()) : "")
        + ShellText.assignment("NAT64_PREFIX", network.nat64Prefix())
        + ShellText.assignment("NAT64_RESOLVERS", String.join(" ", network.nat64Resolvers()))
        + ShellText.assignment("FIREWALL", network.firewall() ? "Managed" : "None")
        + ShellText.assignment("FIREWALL_TCP", ports(network.tcpPorts()))
        + ShellText.assignment("FIREWALL_UDP", ports(network.udpPorts()));
  }

  private static String requested(HostNetwork.Requested what) {
    return ShellText.assignment("REQUESTED_LENGTH", Integer.toString(what.length()))
        + ShellText.assignment("HOST_ADDRESS", what.ownAddress() ? "FromPrefix" : "Own");
  }

  private static String ports(List<Integer> ports) {
    return ports.stream()
        .distinct()
        .sorted()
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }
}
