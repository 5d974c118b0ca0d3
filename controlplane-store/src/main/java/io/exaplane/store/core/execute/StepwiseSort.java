// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

/**
 * A merge sort, from the bottom up, that can be left after any comparison and gone on with later,
 * so that nobody waits for a large one. Stable. 16 bytes an item while it goes on. For one thread.
 */
public final class StepwiseSort {
  /** Bytes of an item, with the place that it is merged to. */
  public static final int BYTES_PER_ITEM = 2 * Long.BYTES;

  /** An order of items. */
  @FunctionalInterface
  public interface Order {
    /** As a comparator does. */
    int compare(long a, long b);

    /** The other way round. */
    default Order reversed() {
      return (a, b) -> compare(b, a);
    }
  }

  private final Order order;
  private long[] items;
  private long[] merged;
  private int width = 1;
  private int left;
  private int leftEnd;
  private int right;
  private int rightEnd;
  private int to;

  /**
   * Begins.
   *
   * @param items taken over
   */
  public StepwiseSort(long[] items, Order order) {
    this.items = items;
    this.order = order;
    if (items.length > 1) {
      merged = new long[items.length];
      beginPair(0);
    }
  }

  /** Sorts all at once. */
  public static long[] sort(long[] items, Order order) {
    StepwiseSort sort = new StepwiseSort(items, order);
    while (!sort.goOn(Integer.MAX_VALUE)) {
      continue;
    }
    return sort.items();
  }

  /** The items; in their order when {@link #goOn} said so. */
  public long[] items() {
    return items;
  }

  /** Does so many comparisons and says whether all is sorted. */
  public boolean goOn(int comparisons) {
    for (int left = comparisons; left > 0 && width < items.length; left--) {
      mergeOne();
    }
    return width >= items.length;
  }

  private void mergeOne() {
    boolean takesLeft =
        right == rightEnd || (left < leftEnd && order.compare(items[left], items[right]) <= 0);
    merged[to++] = items[takesLeft ? left++ : right++];
    if (to < rightEnd) {
      return;
    }
    if (rightEnd < items.length) {
      beginPair(rightEnd);
    } else {
      long[] sorted = merged;
      merged = items;
      items = sorted;
      width = (int) Math.min(2L * width, items.length);
      beginPair(0);
    }
  }

  private void beginPair(int from) {
    left = from;
    leftEnd = (int) Math.min((long) from + width, items.length);
    right = leftEnd;
    rightEnd = (int) Math.min((long) from + 2L * width, items.length);
    to = from;
  }
}
