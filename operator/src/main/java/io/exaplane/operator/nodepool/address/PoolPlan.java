// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.net.AddressRange;
import java.util.List;
import java.util.OptionalInt;

/**
 * What the nodes of a pool may have. Immutable.
 *
 * @param pool name of the NodePool, as the label of its nodes says
 * @param podPrefixLength of each node's prefix, bits; empty if kube-controller-manager gives pods
 *     their addresses, and the pool's nodes are only counted
 * @param prefixes the networks that the prefixes lie in; none without a length
 * @param maxNodes the most nodes
 */
public record PoolPlan(
    String pool, OptionalInt podPrefixLength, List<AddressRange> prefixes, int maxNodes) {
  public PoolPlan {
    prefixes = List.copyOf(prefixes);
  }
}
