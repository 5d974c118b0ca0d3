// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.LongPredicate;

/**
 * The largest of many numbers that change one at a time: each place holds the larger of the two
 * below it. A change costs a path to the root at most, and ends where nothing changes any more. One
 * thread; 16 bytes a leaf.
 */
final class TournamentTree {
  /** What an empty leaf has. */
  static final long NONE = Long.MIN_VALUE;

  private long[] tree;
  private int leaves;

  /** Of so many leaves at least, all empty. */
  TournamentTree(int size) {
    leaves = Math.max(2, Integer.highestOneBit(Math.max(1, size - 1)) * 2);
    tree = new long[2 * leaves];
    Arrays.fill(tree, NONE);
  }

  int leaves() {
    return leaves;
  }

  /** Makes room for twice as many. */
  void grow() {
    long[] before = tree;
    int from = leaves;
    leaves *= 2;
    tree = new long[2 * leaves];
    Arrays.fill(tree, NONE);
    System.arraycopy(before, from, tree, leaves, from);
    rebuild();
  }

  /** Sets a leaf without telling the places above it; {@link #rebuild} has to follow. */
  void put(int leaf, long value) {
    tree[leaves + leaf] = value;
  }

  void rebuild() {
    for (int i = leaves - 1; i > 0; i--) {
      tree[i] = Math.max(tree[2 * i], tree[2 * i + 1]);
    }
  }

  void set(int leaf, long value) {
    int i = leaves + leaf;
    tree[i] = value;
    while (i > 1) {
      i >>= 1;
      long larger = Math.max(tree[2 * i], tree[2 * i + 1]);
      if (tree[i] == larger) {
        return;
      }
      tree[i] = larger;
    }
  }

  /** Passes the numbers from the largest down, until one is enough. */
  void descend(LongPredicate goesOn) {
    PriorityQueue<Integer> next =
        new PriorityQueue<>((one, other) -> Long.compare(tree[other], tree[one]));
    next.add(1);
    while (!next.isEmpty()) {
      int i = next.remove();
      if (tree[i] == NONE) {
        return;
      }
      if (i < leaves) {
        next.add(2 * i);
        next.add(2 * i + 1);
      } else if (!goesOn.test(tree[i])) {
        return;
      }
    }
  }

  /** The largest, or {@link #NONE}. */
  long largest() {
    return tree[1];
  }
}
