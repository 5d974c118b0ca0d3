// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The domains of a topology key: each value of the label is one. Belongs to one {@link Cluster} and
 * its thread. 4 bytes a node.
 */
public final class Topology {
  /** The domain of a node that has no such label. */
  public static final int NONE = -1;

  private final String key;
  private final Map<String, Integer> ids = new HashMap<>();
  private int[] domainOf = {};
  private long version;
  private boolean unique;
  private long uniqueVersion = -1;

  Topology(String key) {
    this.key = key;
  }

  public String key() {
    return key;
  }

  /** The domain of a node, or {@link #NONE}. */
  public int domain(int node) {
    return domainOf[node];
  }

  /** How many domains were ever seen; their numbers are below it. */
  public int size() {
    return ids.size();
  }

  /** The domain that the empty value stands for. */
  public int emptyDomain() {
    return ids.computeIfAbsent("", k -> ids.size());
  }

  /**
   * Whether no two nodes are in one domain, and none in that of the empty value, in which nodes
   * without the key may be counted. A look at all nodes after each change.
   */
  public boolean isUnique() {
    if (uniqueVersion != version) {
      uniqueVersion = version;
      unique = findsUnique();
    }
    return unique;
  }

  private boolean findsUnique() {
    BitSet seen = new BitSet(ids.size());
    int empty = ids.getOrDefault("", NONE);
    for (int domain : domainOf) {
      if (domain != NONE && (domain == empty || seen.get(domain))) {
        return false;
      }
      if (domain != NONE) {
        seen.set(domain);
      }
    }
    return true;
  }

  /** Changes whenever a node does. */
  long version() {
    return version;
  }

  void put(int node, Labels labels) {
    if (node >= domainOf.length) {
      int old = domainOf.length;
      domainOf = Arrays.copyOf(domainOf, Math.max(node + 1, old * 2));
      Arrays.fill(domainOf, old, domainOf.length, NONE);
    }
    version++;
    String value = labels == null ? null : labels.get(key);
    domainOf[node] = value == null ? NONE : ids.computeIfAbsent(value, k -> ids.size());
  }
}
