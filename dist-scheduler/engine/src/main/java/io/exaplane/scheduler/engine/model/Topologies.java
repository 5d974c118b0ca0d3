// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The topology keys that somebody has asked for. Belongs to one {@link Cluster} and its thread. */
final class Topologies {
  private final NodeTable nodes;
  private final Elsewhere elsewhere;
  private final Map<String, Topology> byKey = new HashMap<>();

  Topologies(NodeTable nodes, Elsewhere elsewhere) {
    this.nodes = nodes;
    this.elsewhere = elsewhere;
  }

  Topology of(String key) {
    return byKey.computeIfAbsent(key, this::make);
  }

  private Topology make(String key) {
    Topology topology = new Topology(key, elsewhere);
    for (int node = 0; node < nodes.size(); node++) {
      topology.put(node, nodes.node(node) == null ? null : nodes.node(node).labels());
    }
    return topology;
  }

  Set<String> keys() {
    return Set.copyOf(byKey.keySet());
  }

  /** A node has these labels now; null if it is gone. */
  void put(int node, Labels labels) {
    byKey.values().forEach(topology -> topology.put(node, labels));
  }

  /** Nodes elsewhere are others now. */
  void othersChanged() {
    byKey.values().forEach(Topology::othersChanged);
  }
}
