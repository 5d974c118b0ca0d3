// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.List;

/**
 * A shard's best node for a pod.
 *
 * @param score of that node, with all feasible nodes of all shards in view
 * @param hash of the node's name with the seed
 * @param grants what the pod's claims of devices are given there
 */
public record Bid(String node, long score, long hash, List<Grant> grants) {
  /** Whether this is taken rather than the other, which may be null. */
  public boolean beats(Bid other) {
    if (other == null || score != other.score) {
      return other == null || score > other.score;
    }
    return hash != other.hash ? hash < other.hash : node.compareTo(other.node) < 0;
  }
}
