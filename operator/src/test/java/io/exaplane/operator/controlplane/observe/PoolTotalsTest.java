// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodeTotals;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How the numbers of pools add up, and which changes are told at once. */
class PoolTotalsTest {
  private static NodePool pool(int maxNodes, String status) {
    return Serialization.unmarshal(
        "metadata: {name: p}\nspec: {controlPlaneRef: {name: demo}, maxNodes: %d}\nstatus: %s"
            .formatted(maxNodes, status),
        NodePool.class);
  }

  private static String nodes(int registered, int ready, int joining) {
    return "{nodes: {registered: %d, ready: %d, joining: %d, failed: 0, summary: x}}"
        .formatted(registered, ready, joining);
  }

  private static String lease(int longest) {
    return "{heartbeats: {leaseSeconds: 40, statusUpdateSeconds: 10, statusReportSeconds: 300, longestLeaseSeconds: %d}}"
        .formatted(longest);
  }

  private static String agent(String account) {
    return "{agents: [{namespace: ns, name: cni, nodes: 1, updated: 1, ready: 1, serviceAccount: %s}]}"
        .formatted(account);
  }

  private static String cas(int following, int others) {
    return "{authorities: {id: '0123456789abcdef', followingNodes: %d, otherNodes: %d}}"
        .formatted(following, others);
  }

  @Test
  void numbersAddUp() {
    assertThat(PoolTotals.of(List.of(), OptionalInt.empty())).isNull();
    assertThat(
            PoolTotals.of(
                List.of(
                    pool(10, nodes(3, 2, 1)),
                    pool(20, nodes(4, 4, 0)),
                    pool(5, lease(80)),
                    pool(1, "{leaseRenewalsPerSecond: {expected: 3}}"),
                    pool(1, "{leaseRenewalsPerSecond: {expected: 4}}"),
                    pool(1, "null")),
                OptionalInt.of(8)))
        .isEqualTo(new NodeTotals(6, 7, 6, 38, 80, new NodeTotals.LeaseRenewals(7, 8)));
    assertThat(PoolTotals.of(List.of(pool(1, "null")), OptionalInt.empty()))
        .isEqualTo(new NodeTotals(1, 0, 0, 1, null, new NodeTotals.LeaseRenewals(0, null)));
  }

  @Test
  void whileNodesJoinNumbersAreNoNews() {
    NodePool before = pool(10, nodes(3, 2, 1));
    assertThat(PoolTotals.isNews(pool(10, nodes(4, 3, 1)), before)).isFalse();
    assertThat(PoolTotals.isNews(pool(10, nodes(4, 4, 0)), before)).isTrue();
    assertThat(PoolTotals.isNews(before, before)).isFalse();
    assertThat(PoolTotals.isNews(pool(11, nodes(3, 2, 1)), before)).isTrue();
    assertThat(PoolTotals.isNews(pool(10, lease(80)), pool(10, lease(40)))).isTrue();
    assertThat(PoolTotals.isNews(pool(10, agent("ns/cni")), pool(10, agent("ns/cni")))).isFalse();
    assertThat(PoolTotals.isNews(pool(10, agent("ns/cni")), pool(10, agent("ns/a")))).isTrue();
    assertThat(PoolTotals.isNews(pool(10, cas(3, 0)), pool(10, cas(2, 1)))).isTrue();
    assertThat(PoolTotals.isNews(pool(10, cas(1, 2)), pool(10, cas(0, 3)))).isFalse();
  }
}
