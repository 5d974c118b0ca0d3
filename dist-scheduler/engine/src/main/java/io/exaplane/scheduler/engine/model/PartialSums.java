// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Map;
import java.util.TreeMap;

/**
 * What some of the nodes add to sums by domain. Of domains that no other nodes are in, it is enough
 * to know how many there are, and the smallest of their sums.
 *
 * @param shared by value of the label, those of domains that nodes elsewhere may be in, too
 * @param domains how many other domains with eligible nodes there are
 * @param min the smallest sum of those; {@link Integer#MAX_VALUE} if there is none
 * @param total the pods that count, in all domains
 */
public record PartialSums(Map<String, Domain> shared, int domains, int min, long total) {
  /** Of no nodes. */
  public static final PartialSums NONE = new PartialSums(Map.of(), 0, Integer.MAX_VALUE, 0);

  /** How many eligible nodes a domain has, and how many pods that count. */
  public record Domain(int nodes, int pods) {
    Domain plus(Domain other) {
      return new Domain(nodes + other.nodes, pods + other.pods);
    }
  }

  /** What these nodes and others add together. */
  public PartialSums plus(PartialSums other) {
    Map<String, Domain> all = new TreeMap<>(shared);
    other.shared.forEach((value, domain) -> all.merge(value, domain, Domain::plus));
    return new PartialSums(
        all, domains + other.domains, Math.min(min, other.min), total + other.total);
  }
}
