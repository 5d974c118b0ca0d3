// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.StableHash;
import java.util.Arrays;

/**
 * Which of the nodes with the best score is taken: the one whose name has the smallest hash with
 * the seed, by name where hashes are equal. The choice depends on neither the order nor the number
 * of nodes. For its cluster's thread.
 */
public final class TieBreak {
  private final Cluster cluster;
  private final long seed;
  private long nodesVersion = -1;
  private long[] hashes = {};
  private int[] ranks;
  private int[] byRank;

  public TieBreak(Cluster cluster, long seed) {
    this.cluster = cluster;
    this.seed = seed;
  }

  /** Takes nodes that are new or gone into account. */
  public void refresh() {
    if (nodesVersion == cluster.nodesVersion()) {
      return;
    }
    nodesVersion = cluster.nodesVersion();
    ranks = null;
    hashes = new long[cluster.nodes().size()];
    for (int id = 0; id < hashes.length; id++) {
      Node node = cluster.nodes().node(id);
      hashes[id] = node == null ? 0 : StableHash.of(node.name(), seed);
    }
  }

  /** By node, its place in the order in which nodes win ties; 0 for the first. */
  public int[] ranks() {
    refresh();
    if (ranks == null) {
      Integer[] order = new Integer[hashes.length];
      Arrays.setAll(order, id -> id);
      Arrays.sort(order, this::order);
      byRank = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
      ranks = new int[order.length];
      for (int rank = 0; rank < order.length; rank++) {
        ranks[byRank[rank]] = rank;
      }
    }
    return ranks;
  }

  /** By place in that order, the node. */
  int[] byRank() {
    ranks();
    return byRank;
  }

  /** What nodes with the same score are compared by before their names; the lower wins. */
  public long hash(int node) {
    refresh();
    return hashes[node];
  }

  /** Whether the first of two nodes with the same score is taken rather than the second. */
  public boolean prefers(int first, int second) {
    return order(first, second) < 0;
  }

  /** Below zero if the first of two nodes with the same score is taken rather than the second. */
  int order(int first, int second) {
    int order = Long.compare(hashes[first], hashes[second]);
    return order != 0 ? order : name(first).compareTo(name(second));
  }

  private String name(int node) {
    return cluster.nodes().node(node) == null ? "" : cluster.nodes().node(node).name();
  }
}
