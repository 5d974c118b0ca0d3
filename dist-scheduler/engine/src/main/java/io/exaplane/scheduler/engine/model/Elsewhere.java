// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What there is on nodes that a {@link Cluster} does not have, as far as it decides about those
 * that it has: somebody who sees all the parts of a cluster tells each of them what the others come
 * to. Nothing, if the cluster has all nodes. Belongs to one cluster and its thread.
 */
public final class Elsewhere {
  private Map<String, Set<String>> shared = Map.of();
  private Set<String> unshared = null;
  private Map<String, Integer> imageNodes = Map.of();
  private Map<String, Integer> claimUsers = Map.of();
  private int nodes;

  /**
   * Nodes that others have.
   *
   * @param nodes how many there are
   * @param imageNodes by image, how many of them have it
   * @param shared by topology key, the labels' values that nodes of several parts have
   * @param unshared in place of {@code shared}, which is not looked at then: the topology keys of
   *     which no two nodes have the same value; all values of other keys may be anywhere; or null
   */
  public record Nodes(
      int nodes,
      Map<String, Integer> imageNodes,
      Map<String, Set<String>> shared,
      Set<String> unshared) {
    /** None. */
    public static final Nodes NONE = new Nodes(0, Map.of(), Map.of());

    /** Of which it is known in which values they share domains with others. */
    public Nodes(int nodes, Map<String, Integer> imageNodes, Map<String, Set<String>> shared) {
      this(nodes, imageNodes, shared, null);
    }
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
    if (unshared != null) {
      return nodes > 0 && !unshared.contains(topologyKey);
    }
    return nodes > 0
        && (value.isEmpty() || shared.getOrDefault(topologyKey, Set.of()).contains(value));
  }

  /** False if it is as before. */
  boolean take(Nodes others) {
    if (nodes == others.nodes
        && imageNodes.equals(others.imageNodes)
        && shared.equals(others.shared)
        && Objects.equals(unshared, others.unshared)) {
      return false;
    }
    nodes = others.nodes;
    imageNodes = Map.copyOf(others.imageNodes);
    shared = Map.copyOf(others.shared);
    unshared = others.unshared == null ? null : Set.copyOf(others.unshared);
    return true;
  }

  void takeClaimUsers(Map<String, Integer> users) {
    claimUsers = Map.copyOf(users);
  }
}
