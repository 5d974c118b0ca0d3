// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns that came one after another within moments, those alike together: never across priorities,
 * groups of equal ones in the order of their first. Nobody can tell the difference, as the order in
 * which equally important pods become known is not that in which they were made. Pure.
 */
final class Window {
  private Window() {}

  /**
   * A turn.
   *
   * @param priority of its pods
   * @param alike equal for turns that may be together; null for one that is for itself
   */
  record Turn<T>(int priority, Object alike, T what) {}

  /** The turns in the order in which they are taken, in lists of those that are alike. */
  static <T> List<List<T>> order(List<Turn<T>> turns) {
    List<List<T>> order = new ArrayList<>();
    Map<Object, List<T>> together = new LinkedHashMap<>();
    for (int i = 0; i < turns.size(); i++) {
      Turn<T> turn = turns.get(i);
      if (i > 0 && turn.priority() != turns.get(i - 1).priority()) {
        together.clear();
      }
      List<T> alike = turn.alike() == null ? null : together.get(turn.alike());
      if (alike == null) {
        alike = new ArrayList<>();
        order.add(alike);
        if (turn.alike() != null) {
          together.put(turn.alike(), alike);
        }
      }
      alike.add(turn.what());
    }
    return order;
  }
}
