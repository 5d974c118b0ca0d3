// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import java.util.Arrays;

/**
 * The largest of many numbers, each of which can change: a complete binary tree in an array in
 * which every inner place has the larger of its two children. A change costs at most log2 n
 * comparisons, the largest none; 16 to 32 bytes a leaf. One thread.
 */
final class TournamentTree {
  /** What a leaf has that does not take part. */
  static final long NONE = Long.MIN_VALUE;

  private final int leaves;
  private final long[] tree;

  TournamentTree(int size) {
    leaves = size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    tree = new long[2 * leaves];
    Arrays.fill(tree, NONE);
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

  /** The largest, or {@link #NONE}. */
  long largest() {
    return tree[1];
  }
}
