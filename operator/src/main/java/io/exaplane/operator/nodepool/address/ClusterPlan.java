// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.net.AddressRange;
import java.util.List;

/**
 * All pools of a hosted cluster, and the addresses that no pod may have. Two equal plans ask for
 * the same. Immutable.
 *
 * @param pools by name, in order; of those whose spec is refused there is none
 * @param reserved ranges of somebody else
 */
public record ClusterPlan(List<PoolPlan> pools, List<Reserved> reserved) {
  public ClusterPlan {
    pools = List.copyOf(pools);
    reserved = List.copyOf(reserved);
  }

  /**
   * Addresses of somebody else.
   *
   * @param what as "Services", "the management cluster's pods" or "the API"; it follows "overlaps"
   */
  public record Reserved(String what, AddressRange range) {}
}
