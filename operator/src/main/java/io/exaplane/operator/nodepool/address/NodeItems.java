// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The Nodes of an informer, of which a few facts are kept each. Notes which of them changed; of a
 * Node that changes a thousand times before anybody asks, one note is kept. Thread-safe.
 */
final class NodeItems implements ItemStore<Node> {
  private final Map<String, NodeFacts> items = new ConcurrentHashMap<>();
  private final Set<String> changed = ConcurrentHashMap.newKeySet();
  private final Runnable signal;

  /** {@code signal} is called by the client's threads after each change, and must not wait. */
  NodeItems(Runnable signal) {
    this.signal = signal;
  }

  @Override
  public String getKey(Node node) {
    return node.getMetadata().getName();
  }

  @Override
  public Node put(String key, Node node) {
    NodeFacts before = items.put(key, NodeFacts.of(node));
    note(key);
    return shell(before);
  }

  @Override
  public Node remove(String key) {
    NodeFacts before = items.remove(key);
    note(key);
    return shell(before);
  }

  private void note(String name) {
    changed.add(name);
    signal.run();
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<Node> values() {
    return items.values().stream().map(NodeItems::shell);
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public Node get(String key) {
    return shell(items.get(key));
  }

  /** What an informer compares. */
  private static Node shell(NodeFacts facts) {
    return facts == null
        ? null
        : new NodeBuilder()
            .withNewMetadata()
            .withName(facts.name())
            .withUid(facts.uid())
            .withResourceVersion(facts.resourceVersion())
            .endMetadata()
            .build();
  }

  /** Whether somebody changed. */
  boolean hasChanges() {
    return !changed.isEmpty();
  }

  /**
   * Names of all that changed or went since this was asked last. What they are now is the newest.
   */
  Set<String> takeChanges() {
    Set<String> taken = Set.copyOf(changed);
    // Who changes between the two is noted again, or read as it is then.
    changed.removeAll(taken);
    return taken;
  }

  /** All Nodes as they were seen last. */
  List<NodeSight> sights() {
    return items.values().stream().map(NodeFacts::sight).toList();
  }

  /** The Nodes of a pool as they were seen last. */
  List<NodeTurn> turns(String pool) {
    return items.values().stream()
        .filter(node -> node.pool().equals(pool))
        .map(NodeFacts::turn)
        .toList();
  }

  /** A Node as it was seen last; empty if it is gone. */
  Optional<NodeFacts> find(String name) {
    return Optional.ofNullable(items.get(name));
  }
}
