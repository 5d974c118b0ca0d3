// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.HashMap;
import java.util.Map;

/**
 * How many nodes, here and {@link Elsewhere}, have which image. Belongs to one {@link Cluster} and
 * its thread.
 */
public final class Images {
  private final Map<String, Integer> nodesWith = new HashMap<>();
  private final Elsewhere elsewhere;
  private boolean hidden;

  Images(Elsewhere elsewhere) {
    this.elsewhere = elsewhere;
  }

  void add(Node node) {
    node.images().keySet().forEach(name -> nodesWith.merge(name, 1, Integer::sum));
  }

  void remove(Node node) {
    node.images()
        .keySet()
        .forEach(name -> nodesWith.merge(name, -1, (a, b) -> a + b == 0 ? null : a + b));
  }

  /** By image, how many of the nodes that are here have it. */
  public Map<String, Integer> here() {
    return Map.copyOf(nodesWith);
  }

  /** Says whether no node seems to have any image, for the time of a thought. */
  public void hide(boolean hide) {
    hidden = hide;
  }

  /** The number of nodes that have an image of this name. */
  public int nodesWith(String name) {
    return hidden ? 0 : nodesWith.getOrDefault(name, 0) + elsewhere.nodesWith(name);
  }
}
