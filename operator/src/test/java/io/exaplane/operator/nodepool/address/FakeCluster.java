// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * An API server that has Nodes only, and a watch of them that shows changes when a test lets it.
 * One thread.
 */
final class FakeCluster implements NodeWriter {
  private final Map<String, NodeFacts> nodes = new TreeMap<>();
  private final NodeItems items = new NodeItems(() -> {});

  /** Writes that were done, as "n1 prefix" or "n1: sentence". */
  final List<String> writes = new ArrayList<>();

  int attempts;
  Instant now = Nodes.START.plusSeconds(100);

  /** What the API says instead of carrying a write out; null to let it. */
  Function<NodeWrite, Outcome> answers = _ -> null;

  final Clock clock = time(() -> now);
  private int versions;

  private static Clock time(InstantSource source) {
    return source.withZone(ZoneOffset.UTC);
  }

  /** An operator that knows nothing yet; its watch shows all Nodes. */
  NodeRounds operator() {
    nodes.values().forEach(this::show);
    return new NodeRounds(items, this, "test", clock);
  }

  /** A Node as somebody else writes it; the watch shows it. */
  void put(NodeFacts node) {
    show(store(node));
  }

  /** The same, but the watch is late. */
  NodeFacts store(NodeFacts node) {
    NodeFacts stored =
        new NodeFacts(
            node.name(),
            node.uid(),
            String.valueOf(++versions),
            node.created(),
            node.pool(),
            node.wanted(),
            node.refused(),
            node.podCidrs(),
            node.ready(),
            node.notReady(),
            node.kubelet());
    nodes.put(node.name(), stored);
    return stored;
  }

  void show(NodeFacts node) {
    items.put(node.name(), Nodes.node(node));
  }

  /** The host asks for another prefix; the rest of its Node stays. */
  void ask(String name, String wanted) {
    NodeFacts node = nodes.get(name);
    put(change(node, wanted, node.refused(), node.podCidrs(), node.ready()));
  }

  void ready(String name, boolean ready) {
    NodeFacts node = nodes.get(name);
    put(change(node, node.wanted(), node.refused(), node.podCidrs(), ready));
  }

  void delete(String name) {
    NodeFacts gone = nodes.remove(name);
    items.remove(gone.name());
  }

  NodeFacts get(String name) {
    return nodes.get(name);
  }

  void wait(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Outcome write(NodeWrite write) {
    attempts++;
    Outcome answer = answers.apply(write);
    if (answer != null) {
      return answer;
    }
    String name = write.node().name();
    NodeFacts node = nodes.get(name);
    if (node == null) {
      return new Outcome(Result.GONE, "");
    }
    if (!node.resourceVersion().equals(write.node().resourceVersion())
        || !node.uid().equals(write.node().uid())) {
      return new Outcome(Result.CHANGED, "");
    }
    write.prefix().ifPresent(prefix -> writes.add(name + " " + prefix));
    write.refused().ifPresent(text -> writes.add(name + ": " + text));
    put(
        change(
            node,
            node.wanted(),
            write.refused().orElse(node.refused()),
            write.prefix().map(prefix -> List.of(prefix.toString())).orElse(node.podCidrs()),
            node.ready()));
    return new Outcome(Result.DONE, "");
  }

  private static NodeFacts change(
      NodeFacts node, String wanted, String refused, List<String> podCidrs, boolean ready) {
    return new NodeFacts(
        node.name(),
        node.uid(),
        node.resourceVersion(),
        node.created(),
        node.pool(),
        wanted,
        refused,
        podCidrs,
        ready,
        ready ? "" : node.notReady(),
        node.kubelet());
  }
}
