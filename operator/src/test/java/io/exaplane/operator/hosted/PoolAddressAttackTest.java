// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static io.exaplane.operator.hosted.ServingRequests.dns;
import static io.exaplane.operator.hosted.ServingRequests.ip;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.NodePools;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Line 8: a node writes any address into its own status. That of a pool whose hosts have addresses
 * of the pool gets a certificate for no other one, whatever label it gives itself.
 */
class PoolAddressAttackTest {
  private static final String OWN = "fd00:10:1::11";
  private static final String OF_LINK = "fd00:10:1:0:8000::/112";
  private static final String OUTSIDE = "fd00:99::1";

  private static final NodePool LINK =
      pool("link", "{source: HostPrefix, podPrefixLength: 112, prefixes: ['fd00:10:1::/64']}");
  private static final NodePool METAL =
      pool(
          "metal",
          "{source: RequestedPrefix, podPrefixLength: 80, prefixes: ['fd00:30::/48', 'fd00:31::/48'],"
              + " requested: {length: 64, hostAddress: FromPrefix}}");
  private static final NodePool ROUTED =
      pool("routed", "{source: StaticPrefix, podPrefixLength: 112, prefixes: ['fd00:40::/48']}");
  private static final NodePool OWNS =
      pool("owns", "{source: RequestedPrefix, podPrefixLength: 64, prefixes: ['fd00:50::/48']}");
  private static final NodePool COUNTED =
      NodePools.pool("counted", "2026-01-01T00:00:00Z", "maxNodes: 5");

  private static NodePool pool(String name, String addresses) {
    return NodePools.pool(name, "2026-01-01T00:00:00Z", "maxNodes: 5, addresses: " + addresses);
  }

  @ParameterizedTest
  @CsvSource({
    // label, spec.podCIDRs, the address that it asks for
    "link, , fd00:99::1",
    "link, , 192.0.2.11",
    "link, , fd00:10:2::11",
    "link, , fd00:30::1",
    "link, fd00:10:1:0:8000::/112, fd00:99::1",
    ", fd00:10:1:0:8000::/112, fd00:99::1",
    "none, fd00:10:1:0:8000::/112, fd00:99::1",
    "routed, fd00:10:1:0:8000::/112, fd00:99::1",
    "counted, fd00:10:1:0:8000::/112, fd00:99::1",
    "link, fd00:30::/80, fd00:10:1::11",
    "metal, , fd00:99::1",
    "metal, , fd00:32::1",
    ", fd00:31:0:7:1::/80, fd00:10:1::11",
  })
  void anAddressOutsideOfThePoolIsRefused(String label, String pods, String address) {
    assertThat(objection(node(label, pods), address, ""))
        .hasValueSatisfying(why -> assertThat(why).contains("spec.addresses.prefixes of NodePool"));
  }

  @ParameterizedTest
  @CsvSource({
    "link, , fd00:10:1::11",
    "link, fd00:10:1:0:8000::/112, fd00:10:1::11",
    ", fd00:10:1:0:8000::/112, fd00:10:1::11",
    "metal, fd00:31:0:7:1::/80, fd00:31:0:7::1",
    // Hosts have these addresses without the prefix, and the pool does not know them.
    "routed, fd00:40:0:1::/112, fd00:99::1",
    "routed, fd00:40:0:1::/112, 192.0.2.11",
    "owns, fd00:50:0:1::/64, fd00:99::1",
    "counted, , fd00:99::1",
    // Of no pool.
    ", , fd00:99::1",
    "none, , fd00:99::1",
  })
  void whereThePoolDoesNotSayWhereHostsAreItRefusesNothing(
      String label, String pods, String address) {
    assertThat(objection(node(label, pods), address, "")).isEmpty();
  }

  /** The user's own word counts, for the nodes of pools, too. */
  @Test
  void nodeCidrsCountInsteadOfThePools() {
    String cidrs = ", nodeCIDRs: ['fd00:99::/64']";
    assertThat(objection(node("link", OF_LINK), OUTSIDE, cidrs)).isEmpty();
    assertThat(objection(node("link", OF_LINK), OWN, cidrs))
        .hasValueSatisfying(why -> assertThat(why).contains("spec.network.nodeCIDRs"));
  }

  /** What no node may have is refused although the pool has it. */
  @ParameterizedTest
  @ValueSource(strings = {"fd00:10:1::53", "fd00:10:1:0:96::1"})
  void aPoolAllowsNothingThatIsTheClusters(String address) {
    assertThat(
            objection(node("link", OF_LINK), address, ", serviceCIDRs: ['fd00:10:1:0:96::/112']"))
        .isPresent();
  }

  private static Node node(String label, String pods) {
    Node node =
        ServingRequests.node(
            "w1",
            "InternalIP=" + OWN,
            "InternalIP=192.0.2.11",
            "InternalIP=" + OUTSIDE,
            "InternalIP=fd00:10:2::11",
            "InternalIP=fd00:30::1",
            "InternalIP=fd00:31:0:7::1",
            "InternalIP=fd00:32::1",
            "InternalIP=fd00:10:1::53",
            "InternalIP=fd00:10:1:0:96::1");
    if (label != null) {
      node.getMetadata().setLabels(Map.of(NodePoolNames.NODE_LABEL, label));
    }
    if (pods != null) {
      node.getSpec().setPodCIDRs(List.of(pods));
    }
    return node;
  }

  /** Where each pool knows its hosts, a node that hides its pool gets nothing else. */
  @ParameterizedTest
  @CsvSource({
    // label, the address that it asks for, whether it had the address before, what is said
    ", fd00:99::1, false, the node has no NodePool",
    "none, fd00:99::1, false, the node has no NodePool",
    ", 192.0.2.11, false, the node has no NodePool",
    ", fd00:10:1::11, false,",
    "none, fd00:30::1, false,",
    // Joined by hand, before a pool came.
    ", fd00:99::1, true,",
    // Of a pool, it may have what the pool has, whatever it had.
    "link, fd00:99::1, true, of NodePool link",
  })
  void aNodeThatHidesItsPoolGetsNoOtherAddress(
      String label, String address, boolean recorded, String said) {
    Optional<String> objection =
        objection(node(label, null), address, "", List.of(METAL, LINK), recorded);
    if (said == null) {
      assertThat(objection).isEmpty();
    } else {
      assertThat(objection).hasValueSatisfying(why -> assertThat(why).contains(said));
    }
  }

  /** The next action that the objection names. */
  @Test
  void nodeCidrsLetNodesOfNoPoolIn() {
    assertThat(
            objection(
                node(null, null),
                OUTSIDE,
                ", nodeCIDRs: ['fd00:99::/64', 'fd00:10:1::/64']",
                List.of(LINK),
                false))
        .isEmpty();
  }

  private static Optional<String> objection(Node node, String address, String network) {
    return objection(node, address, network, List.of(ROUTED, OWNS, METAL, LINK, COUNTED), false);
  }

  private static Optional<String> objection(
      Node node, String address, String network, List<NodePool> pools, boolean recorded) {
    ServingRules rules =
        ServingRules.of(
            Fixtures.controlPlane(
                "{version: 1.37.2, maxNodes: 10, network: {clusterDomain: cluster.local%s}}"
                    .formatted(network)),
            Set.of("fd00:10:1::53"),
            pools);
    return KubeletServingRequest.read(ServingRequests.of(dns("w1"), ip(address)).build())
        .judge(_ -> Optional.of(node), rules, (_, _) -> recorded)
        .objection();
  }
}
