// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import io.exaplane.store.core.index.KeyTree.Node;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;

/** Walks over the keys of a tree in order. Reusable; used by one thread. */
public final class KeyCursor {
  public static final int END = -1;

  // 64^8 keys.
  private static final int MAX_DEPTH = 9;

  private final MemorySegment memory;
  private final KeySlots slots;
  private final Branch[] path = new Branch[MAX_DEPTH];
  private final int[] positions = new int[MAX_DEPTH];
  private int depth;
  private Leaf leaf;
  private int index;
  private int limit;
  private byte[] end;

  KeyCursor(MemorySegment memory, KeySlots slots) {
    this.memory = memory;
    this.slots = slots;
  }

  /**
   * Goes before the first key that is not below {@code start}; the cursor ends before the first key
   * that is not below {@code end}, or with the last key when {@code end} is null.
   */
  public void seek(Node tree, byte[] start, int offset, int length, byte[] end) {
    this.end = end;
    depth = 0;
    Node node = tree;
    while (node instanceof Branch branch) {
      path[depth] = branch;
      positions[depth] = branch.childOf(start, offset, length);
      node = branch.children[positions[depth]];
      depth++;
    }
    leaf = (Leaf) node;
    index = leaf.lowerBound(memory, slots, start, offset, length) - 1;
    limit();
  }

  /** Goes to the next key and gives its slot, or {@link #END}. */
  public int next() {
    while (++index >= limit) {
      if (limit < leaf.size || !nextLeaf()) {
        index = limit;
        return END;
      }
    }
    return leaf.slots[index];
  }

  /** Whether the key that the cursor is at was live when the tree was published. */
  public boolean isLive() {
    return leaf.isLive(index);
  }

  private boolean nextLeaf() {
    int level = depth - 1;
    while (level >= 0 && positions[level] + 1 >= path[level].size) {
      level--;
    }
    if (level < 0) {
      return false;
    }
    Node node = path[level].children[++positions[level]];
    while (node instanceof Branch branch) {
      level++;
      path[level] = branch;
      positions[level] = 0;
      node = branch.children[0];
    }
    leaf = (Leaf) node;
    index = -1;
    limit();
    return true;
  }

  /** One comparison for a leaf instead of one for each of its keys. */
  private void limit() {
    limit = leaf.size;
    if (end != null && limit > 0) {
      long last = slots.newest(leaf.slots[limit - 1]);
      if (Records.compareKey(memory, last, end, 0, end.length) >= 0) {
        limit = leaf.lowerBound(memory, slots, end, 0, end.length);
      }
    }
  }

  /** Lets go of the tree. */
  public void close() {
    java.util.Arrays.fill(path, null);
    leaf = null;
  }
}
