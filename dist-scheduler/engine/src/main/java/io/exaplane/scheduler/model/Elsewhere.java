// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.Map;
import java.util.Set;

/**
 * What there is on nodes that a {@link Cluster} does not have, as far as it decides about those
 * that it has: somebody who sees all the parts of a cluster tells each of them what the others come
 * to. Nothing, if the cluster has all nodes. Belongs to one cluster and its thread.
 */
public final class Elsewhere {
  private Map<String, Set<String>> shared = Map.of();
  private Map<String, Integer> imageNodes = Map.of();
  private Map<String, Integer> claimUsers = Map.of();
  private int nodes;

  /**
   * Nodes that others have.
   *
   * @param nodes how many there are
   * @param imageNodes by image, how many of them have it
   * @param shared by topology key, the labels' values that nodes of several parts have
   */
  public record Nodes(int nodes, Map<String, Integer> imageNodes, Map<String, Set<String>> shared) {
    /** None. */
    public static final Nodes NONE = new Nodes(0, Map.of(), Map.of());
  }

  Elsewhere() {}

  /** Whether there are other nodes. */
  public boolean isAnywhere() {
    return nodes > 0;
  }

  int nodes() {
    return nodes;
  }

  int nodesWith(String image) {
    return imageNodes.getOrDefault(image, 0);
  }

  int usersOf(String claim) {
    return claimUsers.getOrDefault(claim, 0);
  }

  /** Whether nodes of other parts may have this value of a topology's label, too. */
  boolean shares(String topologyKey, String value) {
    return nodes > 0
        && (value.isEmpty() || shared.getOrDefault(topologyKey, Set.of()).contains(value));
  }

  /** False if it is as before. */
  boolean take(Nodes others) {
    if (nodes == others.nodes
        && imageNodes.equals(others.imageNodes)
        && shared.equals(others.shared)) {
      return false;
    }
    nodes = others.nodes;
    imageNodes = Map.copyOf(others.imageNodes);
    shared = Map.copyOf(others.shared);
    return true;
  }

  void takeClaimUsers(Map<String, Integer> users) {
    claimUsers = Map.copyOf(users);
  }
}
