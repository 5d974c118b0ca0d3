// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.model.Elsewhere;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which nodes there are, and what shards have to know of each other's: told anew whenever a node
 * changes, or pods come that look at labels at which nobody looked before. One thread.
 */
final class Membership {
  private final List<Shard> shards;
  private Set<String> topologyKeys = Set.of();
  private List<Long> versions = List.of();
  private int nodeCount;

  Membership(List<Shard> shards) {
    this.shards = shards;
  }

  /** How many nodes all shards have. */
  int nodeCount() {
    return nodeCount;
  }

  /** Tells shards what they do not know yet; a pod is enlisted. */
  void exchange() {
    Set<String> keys = new TreeSet<>(topologyKeys);
    shards.forEach(shard -> keys.addAll(shard.topologyKeys()));
    if (!keys.equals(topologyKeys) || !versions.equals(currentVersions())) {
      tell(shards.stream().map(shard -> shard.inventory(keys)).toList(), keys);
      versions = currentVersions();
      topologyKeys = keys;
    }
  }

  private List<Long> currentVersions() {
    return shards.stream().map(Shard::nodesVersion).toList();
  }

  private void tell(List<Inventory> all, Set<String> keys) {
    Map<String, Set<String>> shared = new HashMap<>();
    for (String key : keys) {
      Set<String> values = shared(key, all);
      if (!values.isEmpty()) {
        shared.put(key, values);
      }
    }
    Map<String, Integer> imageNodes = new HashMap<>();
    nodeCount = 0;
    for (Inventory one : all) {
      nodeCount += one.nodes();
      one.imageNodes().forEach((image, nodes) -> imageNodes.merge(image, nodes, Integer::sum));
    }
    for (int i = 0; i < all.size(); i++) {
      Inventory own = all.get(i);
      Map<String, Integer> others = new HashMap<>(imageNodes);
      own.imageNodes()
          .forEach((image, nodes) -> others.merge(image, -nodes, Membership::sumUnlessNone));
      shards.get(i).hear(new Elsewhere.Nodes(nodeCount - own.nodes(), others, shared));
    }
  }

  private static Integer sumUnlessNone(int one, int other) {
    return one + other == 0 ? null : one + other;
  }

  /** The values that nodes of several shards have. */
  private static Set<String> shared(String key, List<Inventory> all) {
    Set<String> seen = new HashSet<>();
    Set<String> shared = new HashSet<>();
    for (Inventory one : all) {
      for (String value : one.values().get(key)) {
        if (!seen.add(value)) {
          shared.add(value);
        }
      }
    }
    return shared;
  }
}
