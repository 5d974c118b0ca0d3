// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import java.util.Arrays;
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
    int[] open = new int[64];
    int count = 0;
    int i = 1;
    while (tree[i] != NONE) {
      // Down to the leaf that has the largest; what it leaves aside on its way waits.
      while (i < leaves) {
        int left = 2 * i;
        boolean goesLeft = tree[left] >= tree[left + 1];
        int aside = goesLeft ? left + 1 : left;
        if (tree[aside] != NONE) {
          open = count == open.length ? Arrays.copyOf(open, 2 * count) : open;
          rise(open, count++, aside);
        }
        i = goesLeft ? left : left + 1;
      }
      if (!goesOn.test(tree[i]) || count == 0) {
        return;
      }
      i = open[0];
      sink(open, --count, open[count]);
    }
  }

  /** Puts a place into a heap that has the largest number first, from this position up. */
  private void rise(int[] heap, int from, int place) {
    int at = from;
    while (at > 0 && tree[heap[(at - 1) / 2]] < tree[place]) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = place;
  }

  /** Puts a place into it in place of the first. */
  private void sink(int[] heap, int size, int place) {
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && tree[heap[child + 1]] > tree[heap[child]]) {
        child++;
      }
      if (tree[heap[child]] <= tree[place]) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = place;
  }

  /** The largest, or {@link #NONE}. */
  long largest() {
    return tree[1];
  }
}
