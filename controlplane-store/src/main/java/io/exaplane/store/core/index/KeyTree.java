// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The keys in order: a B+ tree whose leaves hold slots and whose branches know how many live keys
 * are below each child, so that the number of keys in a range is found without visiting them.
 *
 * <p>The writer changes the tree and publishes it; a published tree never changes. A node is copied
 * at most once between two publications. Keys are read from the slots' newest records, so that a
 * leaf takes 4 bytes per key.
 */
public final class KeyTree {
  private final MemorySegment memory;
  private final KeySlots slots;
  private Node root;
  private long batch = 1;
  // The right half of the node that was split last, and the bound between the halves.
  private Node splitOff;
  private byte[] splitBound;

  public KeyTree(MemorySegment memory, KeySlots slots) {
    this.memory = memory;
    this.slots = slots;
    this.root = new Leaf(batch);
  }

  /** The tree as it is; the writer must not look at it across a change. */
  public Node current() {
    return root;
  }

  /** The tree as it is, for ever. */
  public Node publish() {
    batch++;
    return root;
  }

  /** Adds a live key that is not there. Its slot's newest record must hold the key. */
  public void insert(byte[] key, int offset, int length, int slot) {
    Node left = insert(root, key, offset, length, slot);
    root = splitOff == null ? left : Branch.of(batch, left, splitBound, splitOff);
    splitOff = null;
  }

  private Node insert(Node node, byte[] key, int offset, int length, int slot) {
    if (node instanceof Leaf leaf) {
      return insertIntoLeaf(leaf.owned(batch), key, offset, length, slot);
    }
    Branch branch = ((Branch) node).owned(batch);
    int child = branch.childOf(key, offset, length);
    branch.children[child] = insert(branch.children[child], key, offset, length, slot);
    if (splitOff == null) {
      branch.live[child]++;
      return branch;
    }
    branch.live[child] = branch.children[child].live();
    Node added = splitOff;
    byte[] bound = splitBound;
    splitOff = null;
    insertIntoBranch(branch, child + 1, bound, added);
    return branch;
  }

  private Leaf insertIntoLeaf(Leaf leaf, byte[] key, int offset, int length, int slot) {
    int at = leaf.lowerBound(memory, slots, key, offset, length);
    if (leaf.size < Leaf.CAPACITY) {
      leaf.insert(at, slot);
      return leaf;
    }
    // Keys that come in order fill their leaves.
    Leaf right = leaf.splitAt(at == leaf.size ? at : leaf.size / 2, batch);
    if (at > leaf.size || right.size == 0) {
      right.insert(at - leaf.size, slot);
    } else {
      leaf.insert(at, slot);
    }
    splitOff = right;
    splitBound = bound(leaf.slots[leaf.size - 1], right.slots[0]);
    return leaf;
  }

  private void insertIntoBranch(Branch branch, int at, byte[] bound, Node child) {
    if (branch.size < Branch.CAPACITY) {
      branch.insert(at, bound, child);
      return;
    }
    int cut = at == branch.size ? at - 1 : branch.size / 2;
    splitBound = branch.lower[cut];
    Branch right = branch.splitAt(cut, batch);
    if (at > branch.size) {
      right.insert(at - branch.size, bound, child);
    } else {
      branch.insert(at, bound, child);
    }
    splitOff = right;
  }

  /** The shortest bytes that are above the left key and not above the right one. */
  private byte[] bound(int left, int right) {
    byte[] low = Records.copyKey(memory, slots.newest(left));
    byte[] high = Records.copyKey(memory, slots.newest(right));
    return Arrays.copyOf(high, Arrays.mismatch(low, high) + 1);
  }

  /** Marks a key that is there as live or deleted; it must have been the other. */
  public void setLive(byte[] key, int offset, int length, boolean live) {
    root = setLive(root, key, offset, length, live);
  }

  private Node setLive(Node node, byte[] key, int offset, int length, boolean live) {
    if (node instanceof Leaf shared) {
      Leaf leaf = shared.owned(batch);
      leaf.live ^= 1L << leaf.lowerBound(memory, slots, key, offset, length);
      return leaf;
    }
    Branch branch = ((Branch) node).owned(batch);
    int child = branch.childOf(key, offset, length);
    branch.children[child] = setLive(branch.children[child], key, offset, length, live);
    branch.live[child] += live ? 1 : -1;
    return branch;
  }

  /** Takes a deleted key out. */
  public void remove(byte[] key) {
    root = remove(root, key);
    while (root instanceof Branch branch && branch.size == 1) {
      root = branch.children[0];
    }
    if (root instanceof Branch branch && branch.size == 0) {
      root = new Leaf(batch);
    }
  }

  private Node remove(Node node, byte[] key) {
    if (node instanceof Leaf shared) {
      Leaf leaf = shared.owned(batch);
      leaf.remove(leaf.lowerBound(memory, slots, key, 0, key.length));
      return leaf;
    }
    Branch branch = ((Branch) node).owned(batch);
    int child = branch.childOf(key, 0, key.length);
    branch.children[child] = remove(branch.children[child], key);
    if (branch.children[child].size == 0) {
      branch.remove(child);
    } else {
      mergeSmall(branch, child);
    }
    return branch;
  }

  /** Joins a child that became small with a neighbour when both fit into one with room to grow. */
  private void mergeSmall(Branch branch, int child) {
    if (branch.children[child].size >= Node.SMALL) {
      return;
    }
    int left = child + 1 < branch.size ? child : child - 1;
    if (left < 0
        || branch.children[left].size + branch.children[left + 1].size > Node.MERGED_AT_MOST) {
      return;
    }
    Node right = branch.children[left + 1];
    if (branch.children[left] instanceof Leaf leaf) {
      leaf = leaf.owned(batch);
      leaf.append((Leaf) right);
      branch.children[left] = leaf;
    } else {
      Branch merged = ((Branch) branch.children[left]).owned(batch);
      merged.append(branch.lower[left + 1], (Branch) right);
      branch.children[left] = merged;
    }
    branch.live[left] += branch.live[left + 1];
    branch.remove(left + 1);
  }

  /** Number of live keys of a tree that are below the key. */
  public long rank(Node tree, byte[] key, int offset, int length) {
    long rank = 0;
    Node node = tree;
    while (node instanceof Branch branch) {
      int child = branch.childOf(key, offset, length);
      for (int i = 0; i < child; i++) {
        rank += branch.live[i];
      }
      node = branch.children[child];
    }
    Leaf leaf = (Leaf) node;
    return rank + leaf.liveBelow(leaf.lowerBound(memory, slots, key, offset, length));
  }

  /** A cursor over trees of this kind. */
  public KeyCursor cursor() {
    return new KeyCursor(memory, slots);
  }

  /** A part of a tree; a whole tree from outside. */
  public abstract static sealed class Node permits Leaf, Branch {
    static final int SMALL = 16;
    static final int MERGED_AT_MOST = 48;

    final long batch;
    int size;

    Node(long batch) {
      this.batch = batch;
    }

    /** Number of live keys in here. */
    public abstract int live();
  }
}
