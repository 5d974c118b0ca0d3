// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import io.exaplane.store.core.index.KeyTree.Node;
import java.util.Arrays;

/** Children in order, the bound between each two, and the number of live keys in each. */
final class Branch extends Node {
  static final int CAPACITY = 64;

  final Node[] children;
  // lower[i] is above every key of child i - 1 and not above any of child i; lower[0] is not used.
  final byte[][] lower;
  final int[] live;

  private Branch(long batch) {
    super(batch);
    children = new Node[CAPACITY];
    lower = new byte[CAPACITY][];
    live = new int[CAPACITY];
  }

  private Branch(long batch, Branch source) {
    super(batch);
    children = source.children.clone();
    lower = source.lower.clone();
    live = source.live.clone();
    size = source.size;
  }

  static Branch of(long batch, Node left, byte[] bound, Node right) {
    Branch branch = new Branch(batch);
    branch.insert(0, null, left);
    branch.insert(1, bound, right);
    return branch;
  }

  /** This branch if it is of the batch, else a copy that is. */
  Branch owned(long batch) {
    return this.batch == batch ? this : new Branch(batch, this);
  }

  @Override
  public int live() {
    int sum = 0;
    for (int i = 0; i < size; i++) {
      sum += live[i];
    }
    return sum;
  }

  /** Index of the child that has the key, if any has. */
  int childOf(byte[] key, int offset, int length) {
    int low = 1;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] bound = lower[middle];
      if (Arrays.compareUnsigned(bound, 0, bound.length, key, offset, offset + length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  void insert(int at, byte[] bound, Node child) {
    System.arraycopy(children, at, children, at + 1, size - at);
    System.arraycopy(lower, at, lower, at + 1, size - at);
    System.arraycopy(live, at, live, at + 1, size - at);
    children[at] = child;
    lower[at] = bound;
    live[at] = child.live();
    size++;
  }

  void remove(int at) {
    size--;
    System.arraycopy(children, at + 1, children, at, size - at);
    System.arraycopy(lower, at + 1, lower, at, size - at);
    System.arraycopy(live, at + 1, live, at, size - at);
    children[size] = null;
    lower[size] = null;
  }

  /** Moves what is at and behind the index into a new branch. */
  Branch splitAt(int index, long batch) {
    Branch right = new Branch(batch);
    right.size = size - index;
    System.arraycopy(children, index, right.children, 0, right.size);
    System.arraycopy(lower, index, right.lower, 0, right.size);
    System.arraycopy(live, index, right.live, 0, right.size);
    Arrays.fill(children, index, size, null);
    Arrays.fill(lower, index, size, null);
    size = index;
    return right;
  }

  void append(byte[] bound, Branch other) {
    System.arraycopy(other.children, 0, children, size, other.size);
    System.arraycopy(other.lower, 0, lower, size, other.size);
    System.arraycopy(other.live, 0, live, size, other.size);
    lower[size] = bound;
    size += other.size;
  }
}
