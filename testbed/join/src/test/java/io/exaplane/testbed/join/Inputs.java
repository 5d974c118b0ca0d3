// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.operator.nodepool.join.CloudInit;
import io.exaplane.operator.nodepool.join.HostNetwork;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Inputs of the script that differ from another one in one field. */
final class Inputs {
  /** Where the script ends with a code of its own. */
  static final Pattern CODES = Pattern.compile("\\b(fail|bad) (\\d+) ");

  private Inputs() {}

  /** The code at the beginning of a line of the help. */
  static String code(String line) {
    return line.strip().split(" ", 2)[0];
  }

  static JoinInput server(JoinInput of, String server) {
    return copy(of, server, of.caPem(), of.token(), of.tokenExpires(), of.version(), of.prefixes());
  }

  static JoinInput ca(JoinInput of, String pem) {
    return copy(of, of.server(), pem, of.token(), of.tokenExpires(), of.version(), of.prefixes());
  }

  static JoinInput token(JoinInput of, String token, Instant expires) {
    return copy(of, of.server(), of.caPem(), token, expires, of.version(), of.prefixes());
  }

  static JoinInput version(JoinInput of, String version) {
    return copy(of, of.server(), of.caPem(), of.token(), of.tokenExpires(), version, of.prefixes());
  }

  static JoinInput prefixes(JoinInput of, String prefix) {
    return copy(
        of, of.server(), of.caPem(), of.token(), of.tokenExpires(), of.version(), List.of(prefix));
  }

  /** As for a pool whose addresses kube-controller-manager chooses. */
  static JoinInput allocated(JoinInput of) {
    return addresses(of, OptionalInt.empty(), List.of());
  }

  static JoinInput length(JoinInput of, int length) {
    return addresses(of, OptionalInt.of(length), of.prefixes());
  }

  private static JoinInput addresses(JoinInput of, OptionalInt length, List<String> prefixes) {
    return new JoinInput(
        of.server(),
        of.caPem(),
        of.token(),
        of.tokenExpires(),
        of.pool(),
        of.version(),
        of.kubeletConfigJson(),
        of.labels(),
        of.taints(),
        of.clusterDns(),
        of.clusterDomain(),
        length,
        prefixes,
        of.network());
  }

  /** The script that the user data of cloud-init have. */
  static String userData(JoinInput input) throws IOException {
    String packed =
        CloudInit.render(JoinScript.render(input))
            .lines()
            .filter(line -> line.contains("content: "))
            .findFirst()
            .orElseThrow()
            .replaceFirst(".*content: ", "");
    byte[] bytes = Base64.getDecoder().decode(packed);
    try (InputStream script = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Of hosts whose prefix comes from elsewhere. */
  static JoinInput source(JoinInput of, String source) {
    HostNetwork n = of.network();
    return of.with(network(n, source, n.delegatedFile(), n.metadataUrl(), n.neighborDiscovery()));
  }

  /** Of hosts that read their prefix from a file, or from a metadata service with sessions. */
  static JoinInput delegated(JoinInput of, String file, String url) {
    HostNetwork n = of.network();
    return of.with(network(n, "DelegatedPrefix", file, url, n.neighborDiscovery()));
  }

  /** Of hosts that ask a DHCPv6 server for a prefix of that length. */
  static JoinInput requested(JoinInput of, int length, boolean ownAddress) {
    return of.with(of.network().asking(new HostNetwork.Requested(length, ownAddress)));
  }

  /** Of hosts that answer solicitations for their pods: KernelProxy, Ndppd or None. */
  static JoinInput neighbors(JoinInput of, String who) {
    HostNetwork n = of.network();
    return of.with(network(n, n.source(), n.delegatedFile(), n.metadataUrl(), who));
  }

  private static HostNetwork network(
      HostNetwork of, String source, String file, String url, String neighbors) {
    return new HostNetwork(
        source,
        file,
        url,
        url.isEmpty() ? "None" : "IMDSv2",
        neighbors,
        of.interfaceName(),
        of.podLink(),
        of.mtu(),
        of.nat64Prefix(),
        of.nat64Resolvers(),
        of.firewall(),
        of.tcpPorts(),
        of.udpPorts());
  }

  /** Of hosts whose pods' packets leave by this interface; "" for the kernel's choice. */
  static JoinInput link(JoinInput of, String name) {
    HostNetwork n = of.network();
    return of.with(
        new HostNetwork(
            n.source(),
            n.delegatedFile(),
            n.metadataUrl(),
            n.metadataSession(),
            n.neighborDiscovery(),
            name,
            n.podLink(),
            n.mtu(),
            n.nat64Prefix(),
            n.nat64Resolvers(),
            n.firewall(),
            n.tcpPorts(),
            n.udpPorts()));
  }

  /** Of hosts whose pods have a link each. */
  static JoinInput pointToPoint(JoinInput of) {
    HostNetwork n = of.network();
    return of.with(
        new HostNetwork(
            n.source(),
            n.delegatedFile(),
            n.metadataUrl(),
            n.metadataSession(),
            n.neighborDiscovery(),
            n.interfaceName(),
            "PointToPoint",
            n.mtu(),
            n.nat64Prefix(),
            n.nat64Resolvers(),
            n.firewall(),
            n.tcpPorts(),
            n.udpPorts()));
  }

  /** Of hosts with a translator for servers that have IPv4 alone. */
  static JoinInput nat64(JoinInput of, String prefix, List<String> resolvers) {
    HostNetwork n = of.network();
    return of.with(
        new HostNetwork(
            n.source(),
            n.delegatedFile(),
            n.metadataUrl(),
            n.metadataSession(),
            n.neighborDiscovery(),
            n.interfaceName(),
            n.podLink(),
            n.mtu(),
            prefix,
            resolvers,
            n.firewall(),
            n.tcpPorts(),
            n.udpPorts()));
  }

  /** Of hosts that let in only what a node needs, and these ports. */
  static JoinInput firewall(JoinInput of, List<Integer> tcp, List<Integer> udp) {
    HostNetwork n = of.network();
    return of.with(
        new HostNetwork(
            n.source(),
            n.delegatedFile(),
            n.metadataUrl(),
            n.metadataSession(),
            n.neighborDiscovery(),
            n.interfaceName(),
            n.podLink(),
            n.mtu(),
            n.nat64Prefix(),
            n.nat64Resolvers(),
            true,
            tcp,
            udp));
  }

  private static JoinInput copy(
      JoinInput of,
      String server,
      String ca,
      String token,
      Instant expires,
      String version,
      List<String> prefixes) {
    return new JoinInput(
        server,
        ca,
        token,
        expires,
        of.pool(),
        version,
        of.kubeletConfigJson(),
        of.labels(),
        of.taints(),
        of.clusterDns(),
        of.clusterDomain(),
        of.podPrefixLength(),
        prefixes,
        of.network());
  }
}
