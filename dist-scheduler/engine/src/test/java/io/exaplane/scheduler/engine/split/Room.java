// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.preemption.Cost;
import java.util.List;

/**
 * The node of a shard where a pod could go if others did, at the least cost.
 *
 * @param hash of the node's name with the seed
 * @param victims the keys of the pods that would have to go, the most important first
 */
public record Room(String node, Cost cost, long hash, List<String> victims) {
  /** Whether this is taken rather than the other, which may be null. */
  public boolean beats(Room other) {
    int order = other == null ? -1 : cost.compareTo(other.cost);
    if (order != 0) {
      return order < 0;
    }
    return hash != other.hash ? hash < other.hash : node.compareTo(other.node) < 0;
  }
}
