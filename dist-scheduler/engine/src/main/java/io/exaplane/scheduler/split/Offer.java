// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.split;

import io.exaplane.scheduler.explain.Prospects;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a shard has for a pod that found no node anywhere.
 *
 * @param reasons by reason, how many nodes gave it; none if nobody asked
 * @param prospects what can be done for the pod
 * @param room where it can go if others do, or null
 */
public record Offer(Map<String, Integer> reasons, Prospects prospects, Room room) {
  /** Of these nodes and others. */
  public Offer and(Offer other) {
    Map<String, Integer> all = new TreeMap<>(reasons);
    other.reasons.forEach((reason, nodes) -> all.merge(reason, nodes, Integer::sum));
    boolean others = other.room != null && other.room.beats(room);
    return new Offer(all, prospects.and(other.prospects), others ? other.room : room);
  }
}
