// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.HashMap;
import java.util.Map;

/** How many nodes have which image. Belongs to one {@link Cluster} and its thread. */
public final class Images {
  private final Map<String, Integer> nodesWith = new HashMap<>();

  void add(Node node) {
    node.images().keySet().forEach(name -> nodesWith.merge(name, 1, Integer::sum));
  }

  void remove(Node node) {
    node.images()
        .keySet()
        .forEach(name -> nodesWith.merge(name, -1, (a, b) -> a + b == 0 ? null : a + b));
  }

  /** The number of nodes that have an image of this name. */
  public int nodesWith(String name) {
    return nodesWith.getOrDefault(name, 0);
  }
}
