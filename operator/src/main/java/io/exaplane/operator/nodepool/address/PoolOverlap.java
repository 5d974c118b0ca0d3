// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.net.AddressRange;
import java.util.List;
import java.util.Optional;

/**
 * Whether two pools of a cluster have networks in common: each would give away what the other one
 * has. The younger pool is refused. Pure.
 */
public final class PoolOverlap {
  private PoolOverlap() {}

  /**
   * Field, value, rule with both names, and next action, for the first network of two that overlap.
   *
   * @param elder pools of the same ControlPlane that were created before
   */
  public static Optional<String> find(PoolPlan own, List<PoolPlan> elder) {
    for (AddressRange mine : own.prefixes()) {
      for (PoolPlan other : elder) {
        for (AddressRange theirs : other.prefixes()) {
          if (mine.overlaps(theirs)) {
            return Optional.of(
                "spec.addresses.prefixes %s of NodePool %s overlaps %s of NodePool %s, which is older. Two pools must not share addresses. Create NodePool %s again with other prefixes."
                    .formatted(mine.text(), own.pool(), theirs.text(), other.pool(), own.pool()));
          }
        }
      }
    }
    return Optional.empty();
  }
}
