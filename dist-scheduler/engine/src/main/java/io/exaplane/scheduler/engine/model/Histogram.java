// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;

/** Small numbers of which the smallest is known, in constant time on average. One thread. */
final class Histogram {
  /**
   * Sums fall below zero while somebody tries what it would bring to remove pods that do not count;
   * a node has no more pods than this.
   */
  private static final int LOWEST = -4096;

  private int[] times = new int[64 - LOWEST];
  private int count;
  private int min;

  void add(int number) {
    change(number, 1);
    min = count++ == 0 ? number : Math.min(min, number);
  }

  /** One of the numbers is another now. */
  void move(int from, int to) {
    change(from, -1);
    change(to, 1);
    min = Math.min(min, to);
    while (times[min - LOWEST] == 0) {
      min++;
    }
  }

  /** The smallest; {@link Integer#MAX_VALUE} if there is none. */
  int min() {
    return count == 0 ? Integer.MAX_VALUE : min;
  }

  private void change(int number, int delta) {
    int slot = number - LOWEST;
    if (slot >= times.length) {
      times = Arrays.copyOf(times, Math.max(slot + 1, times.length * 2));
    }
    times[slot] += delta;
  }
}
