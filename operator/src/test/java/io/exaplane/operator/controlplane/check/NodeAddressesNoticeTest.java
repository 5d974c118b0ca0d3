// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.outcome.Problem;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 8: whose serving certificates rest on the node alone is told, with the next action. */
class NodeAddressesNoticeTest {
  private static final ControlPlane PLAIN =
      Fixtures.controlPlane("{version: 1.37.2, maxNodes: 10}");
  private static final NodePool COUNTED = pool("counted", "");
  private static final NodePool LINK =
      pool(
          "link",
          ", addresses: {source: HostPrefix, podPrefixLength: 112, prefixes: ['fd00:10:1::/64']}");
  private static final NodePool FROM_PREFIX =
      pool(
          "metal",
          ", addresses: {source: RequestedPrefix, podPrefixLength: 80, prefixes: ['fd00:30::/48'],"
              + " requested: {length: 64, hostAddress: FromPrefix}}");

  private static NodePool pool(String name, String more) {
    return NodePools.pool(name, "2026-01-01T00:00:00Z", "maxNodes: 5" + more);
  }

  @Test
  void withoutPoolsTheNodesWithoutOneAreNamed() {
    Problem told = NodeAddressesNotice.of(PLAIN, List.of()).orElseThrow();
    assertThat(told.reason()).isEqualTo(Reason.NodeAddressesUnproven);
    assertThat(told.message())
        .isEqualTo(
            "Serving certificates of nodes without a NodePool can have addresses that only the node"
                + " itself names. Set spec.network.nodeCIDRs to the networks of all nodes; that"
                + " restarts nothing.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ", addresses: {source: StaticPrefix, podPrefixLength: 112, prefixes: ['fd00:40::/48']}",
        ", addresses: {source: DelegatedPrefix, podPrefixLength: 112, prefixes: ['fd00:40::/48'], delegated: {file: /a}}",
        ", addresses: {source: RequestedPrefix, podPrefixLength: 64, prefixes: ['fd00:40::/48']}",
      })
  void aPoolWhoseHostsHaveAddressesFromElsewhereIsNamed(String addresses) {
    List<NodePool> pools = List.of(pool("w", addresses), LINK, FROM_PREFIX);
    assertThat(NodeAddressesNotice.of(PLAIN, pools).orElseThrow().message())
        .startsWith(
            "Serving certificates of nodes of NodePool w, and of nodes without a NodePool, can");
  }

  @Test
  void manyPoolsAreCounted() {
    List<NodePool> pools = IntStream.range(1, 8).mapToObj(i -> pool("p" + i, "")).toList();
    assertThat(NodeAddressesNotice.of(PLAIN, pools).orElseThrow().message())
        .contains("NodePools p1, p2, p3, p4, p5 and 2 more, and of nodes");
  }

  /** A node that hides its pool gets nothing beside these pools' addresses then. */
  @Test
  void whereEachPoolKnowsItsHostsNothingIsSaid() {
    assertThat(NodeAddressesNotice.of(PLAIN, List.of(LINK, FROM_PREFIX))).isEmpty();
  }

  @Test
  void theFieldEndsIt() {
    ControlPlane told =
        Fixtures.controlPlane(
            "{version: 1.37.2, maxNodes: 10, network: {nodeCIDRs: ['fd00:10:1::/64']}}");
    assertThat(NodeAddressesNotice.of(told, List.of())).isEmpty();
    assertThat(NodeAddressesNotice.of(told, List.of(COUNTED))).isEmpty();
  }
}
