// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What preemption on each node would cost, or what it would at least, in the order of {@link Cost};
 * the node where it costs least is at hand. One thread; 44 bytes a node.
 */
final class Costs {
  private static final int NONE = -1;

  private final int[] ranks;
  private final int[] violations;
  private final int[] highestPriorities;
  private final long[] sums;
  private final int[] counts;
  private final long[] startsNs;
  private final BitSet exact;
  private final int leaves;
  private final int[] winners;

  /** Of nodes with these ranks, of which none has a cost. */
  Costs(int[] ranks) {
    this.ranks = ranks;
    int size = ranks.length;
    violations = new int[size];
    highestPriorities = new int[size];
    sums = new long[size];
    counts = new int[size];
    startsNs = new long[size];
    exact = new BitSet(size);
    leaves = Math.max(2, Integer.highestOneBit(Math.max(1, size - 1)) * 2);
    winners = new int[2 * leaves];
    Arrays.fill(winners, NONE);
  }

  /**
   * Says what a node costs at least, without telling the others; {@link #rebuild} has to follow.
   */
  void putBound(int node, int highestPriority, long sum, int count, long latestStartNs) {
    violations[node] = 0;
    highestPriorities[node] = highestPriority;
    sums[node] = sum;
    counts[node] = count;
    startsNs[node] = latestStartNs;
    exact.clear(node);
    winners[leaves + node] = node;
  }

  /** Says what a node costs. */
  void putExact(int node, Candidate candidate) {
    Cost cost = candidate.cost();
    violations[node] = cost.budgetViolations();
    highestPriorities[node] = cost.highestPriority();
    sums[node] = cost.sumOfPriorities();
    counts[node] = cost.victims();
    startsNs[node] = cost.earliestStartNs();
    exact.set(node);
    winners[leaves + node] = node;
  }

  /** Says that a node won't do. */
  void remove(int node) {
    winners[leaves + node] = NONE;
  }

  boolean isExact(int node) {
    return exact.get(node);
  }

  void rebuild() {
    for (int i = leaves - 1; i > 0; i--) {
      winners[i] = better(winners[2 * i], winners[2 * i + 1]);
    }
  }

  /** Tells the others about a node. */
  void replay(int node) {
    for (int i = (leaves + node) >> 1; i > 0; i >>= 1) {
      winners[i] = better(winners[2 * i], winners[2 * i + 1]);
    }
  }

  /** The node that costs least, as far as is known; or -1. */
  int best() {
    return winners[1];
  }

  private int better(int one, int other) {
    if (one == NONE || other == NONE) {
      return one == NONE ? other : one;
    }
    return compare(one, other) <= 0 ? one : other;
  }

  /** What is only a bound goes first: it has to be looked at before the other may win. */
  private int compare(int one, int other) {
    int order = Integer.compare(violations[one], violations[other]);
    if (order == 0) {
      order = Integer.compare(highestPriorities[one], highestPriorities[other]);
    }
    if (order == 0) {
      order = Long.compare(sums[one], sums[other]);
    }
    if (order == 0) {
      order = Integer.compare(counts[one], counts[other]);
    }
    if (order == 0) {
      order = Long.compare(startsNs[other], startsNs[one]);
    }
    if (order == 0) {
      order = Boolean.compare(exact.get(one), exact.get(other));
    }
    return order != 0 ? order : Integer.compare(ranks[one], ranks[other]);
  }
}
