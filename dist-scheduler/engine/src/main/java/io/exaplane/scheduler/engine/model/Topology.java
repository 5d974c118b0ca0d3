// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The domains of a topology key: each value of the label is one. Belongs to one {@link Cluster} and
 * its thread. 4 bytes a node.
 */
public final class Topology {
  /** The domain of a node that has no such label. */
  public static final int NONE = -1;

  private final String key;
  private final Elsewhere elsewhere;
  private final List<String> values = new ArrayList<>();
  private final Map<String, Integer> ids = new HashMap<>();
  private int[] domainOf = {};
  private long version;
  private boolean unique;
  private long uniqueVersion = -1;

  Topology(String key, Elsewhere elsewhere) {
    this.key = key;
    this.elsewhere = elsewhere;
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
    return domainOf("");
  }

  /** The domain of a value of the label. */
  int domainOf(String value) {
    Integer known = ids.get(value);
    if (known == null) {
      known = values.size();
      ids.put(value, known);
      values.add(value);
    }
    return known;
  }

  /** The label's value in a domain. */
  public String value(int domain) {
    return values.get(domain);
  }

  /** Whether nodes {@link Elsewhere} may be in a domain, too. */
  public boolean isShared(int domain) {
    return elsewhere.shares(key, values.get(domain));
  }

  /** The values that the nodes which are here have. */
  public Set<String> inhabited() {
    Set<String> found = new HashSet<>();
    for (int domain : domainOf) {
      if (domain != NONE) {
        found.add(values.get(domain));
      }
    }
    return found;
  }

  /**
   * Whether no two nodes are in one domain, wherever they are, and none in that of the empty value,
   * in which nodes without the key may be counted. A look at all nodes after each change.
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
      if (domain != NONE && (domain == empty || seen.get(domain) || isShared(domain))) {
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

  /** Nodes elsewhere are others now. */
  void othersChanged() {
    version++;
  }

  void put(int node, Labels labels) {
    if (node >= domainOf.length) {
      int old = domainOf.length;
      domainOf = Arrays.copyOf(domainOf, Math.max(node + 1, old * 2));
      Arrays.fill(domainOf, old, domainOf.length, NONE);
    }
    version++;
    String value = labels == null ? null : labels.get(key);
    domainOf[node] = value == null ? NONE : domainOf(value);
  }
}
