// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.nodepool.join.HostNetwork;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Defaults are filled in, and what is not asked for is not in the script. */
class HostNetworksTest {
  private static HostNetwork of(String spec) {
    return HostNetworks.of(NodePools.pool("maxNodes: 10" + spec).getSpec());
  }

  @Test
  void aPoolThatSaysNothingHasAPlainNetwork() {
    assertThat(of("")).isEqualTo(HostNetwork.PLAIN);
    assertThat(of(", " + NodePools.ADDRESSES)).isEqualTo(HostNetwork.PLAIN);
    assertThat(of(", network: {}, firewall: {tcpPorts: [1]}")).isEqualTo(HostNetwork.PLAIN);
  }

  @Test
  void aPoolMayLeaveTheAnswerForPodsToItsHosts() {
    assertThat(of(", " + NodePools.ADDRESSES.replace("}", ", neighborDiscovery: Auto}")))
        .extracting(HostNetwork::neighborDiscovery)
        .isEqualTo("Auto");
  }

  /** What a server delegates is as long as what pods of a node get, unless the pool says more. */
  @Test
  void aPoolThatRequestsPrefixesSaysWhat() {
    String addresses =
        ", addresses: {source: RequestedPrefix, podPrefixLength: 80, prefixes: ['2001:db8::/48']%s}";
    assertThat(of(addresses.formatted("")))
        .isEqualTo(HostNetwork.PLAIN.asking(new HostNetwork.Requested(80, false)));
    assertThat(of(addresses.formatted(", requested: {length: 64}")))
        .isEqualTo(HostNetwork.PLAIN.asking(new HostNetwork.Requested(64, false)));
    assertThat(of(addresses.formatted(", requested: {length: 64, hostAddress: FromPrefix}")))
        .isEqualTo(HostNetwork.PLAIN.asking(new HostNetwork.Requested(64, true)));
  }

  @Test
  void everyFieldReachesTheHosts() {
    HostNetwork network =
        of(
            """
            , addresses: {source: DelegatedPrefix, podPrefixLength: 80, prefixes: ['2001:db8::/56'],
             delegated: {metadataURL: 'http://[fd00:ec2::254]/a/{mac}/b', metadataSession: IMDSv2},
             neighborDiscovery: KernelProxy, interfaceName: ens5},
             network: {podLink: PointToPoint, mtu: 1420, nat64: {resolvers: ['2001:db8::64']}}, firewall: {mode: Managed, udpPorts: [53]}
            """
                .replace("\n", ""));
    assertThat(network)
        .isEqualTo(
            new HostNetwork(
                "DelegatedPrefix",
                "",
                "http://[fd00:ec2::254]/a/{mac}/b",
                "IMDSv2",
                "KernelProxy",
                "ens5",
                "PointToPoint",
                OptionalInt.of(1420),
                "64:ff9b::/96",
                List.of("2001:db8::64"),
                true,
                List.of(22),
                List.of(53)));
  }
}
