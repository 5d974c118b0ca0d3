// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import static io.exaplane.operator.nodepool.address.Nodes.pool;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Two pools of a cluster have no address in common. */
class PoolOverlapTest {
  private static final PoolPlan OLD = pool("old", 64, "2001:db8::/48", "2001:db8:5::/48");

  @Test
  void bothNamesAndNetworksAreSaid() {
    assertThat(
            PoolOverlap.find(pool("new", 80, "2001:db8:9::/48", "2001:db8:5:1::/64"), List.of(OLD)))
        .contains(
            "spec.addresses.prefixes 2001:db8:5:1::/64 of NodePool new overlaps 2001:db8:5::/48 of NodePool old, which is older. Two pools must not share addresses. Create NodePool new again with other prefixes.");
    assertThat(PoolOverlap.find(pool("new", 64, "2001::/16"), List.of(OLD))).isPresent();
  }

  @Test
  void othersAreLetIn() {
    assertThat(PoolOverlap.find(pool("new", 64, "2001:db8:6::/48"), List.of(OLD))).isEmpty();
    assertThat(PoolOverlap.find(OLD, List.of())).isEmpty();
  }
}
