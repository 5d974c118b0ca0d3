// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Nodes that are alike in all that other nodes decide about them: the best of them by what is left
 * is at hand. Each node has a slot for the time of its stay. One thread.
 */
final class Cell {
  private TournamentTree tree = new TournamentTree(1);
  private int[] free = {};
  private int freeCount;
  private int used;
  private int size;

  /** Where the cell is in the list of those that have nodes; kept by {@link Cells}. */
  int place = -1;

  /** Nodes that it has besides, of which nothing is known but that their keys are smaller. */
  private int unnamed;

  private long unnamedBelow = TournamentTree.NONE;

  /** How many nodes it has. */
  int size() {
    return size;
  }

  /** How many there are together with those that nobody named. */
  int sizeWithUnnamed() {
    return size + unnamed;
  }

  /** There are so many more, all with keys below one. */
  void addUnnamed(int count, long below) {
    unnamed += count;
    unnamedBelow = Math.max(unnamedBelow, below);
  }

  /** Whether its best node is known: none of those that nobody named can be better. */
  boolean knowsBest() {
    return unnamed == 0 || (size > 0 && tree.largest() >= unnamedBelow);
  }

  /** The largest key of any of them. */
  long largest() {
    return tree.largest();
  }

  /** Passes the keys of its nodes from the largest down, until one is enough. */
  void descend(LongPredicate goesOn) {
    tree.descend(goesOn);
  }

  /** Takes a node in, and says which slot it got. */
  int add(long key) {
    int slot = slot();
    tree.set(slot, key);
    return slot;
  }

  /** Takes a node in like {@link #add}; {@link #rebuild} has to follow. */
  int append(long key) {
    int slot = slot();
    tree.put(slot, key);
    return slot;
  }

  void rebuild() {
    tree.rebuild();
  }

  private int slot() {
    size++;
    if (freeCount > 0) {
      return free[--freeCount];
    }
    if (used == tree.leaves()) {
      tree.grow();
    }
    return used++;
  }

  void set(int slot, long key) {
    tree.set(slot, key);
  }

  void remove(int slot) {
    if (--size == 0) {
      tree = new TournamentTree(1);
      free = new int[0];
      freeCount = 0;
      used = 0;
      return;
    }
    tree.set(slot, TournamentTree.NONE);
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, Math.max(8, 2 * freeCount));
    }
    free[freeCount++] = slot;
  }
}
