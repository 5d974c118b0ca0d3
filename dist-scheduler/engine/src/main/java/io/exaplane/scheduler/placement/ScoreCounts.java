// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import java.util.Map;
import java.util.TreeMap;

/** How many feasible nodes have which score, and the highest that any has. One thread. */
final class ScoreCounts {
  private final TreeMap<Integer, Integer> nodesWith = new TreeMap<>();

  void clear() {
    nodesWith.clear();
  }

  /** Counts so many more; false if the highest score is another one now. */
  boolean add(int score, int nodes) {
    long before = max();
    nodesWith.merge(score, nodes, (a, b) -> a + b == 0 ? null : a + b);
    return before == max();
  }

  /** The highest score of any, at least 0. */
  long max() {
    Map.Entry<Integer, Integer> last = nodesWith.lastEntry();
    return last == null ? 0 : last.getKey();
  }
}
