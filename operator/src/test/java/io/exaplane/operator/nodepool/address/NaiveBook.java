// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.AddressRange;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules of {@link PrefixBook} as they read, without an index: every Node is compared with every
 * other one, bit by bit. It asks nothing of the classes that it is compared with but the text of a
 * request.
 */
final class NaiveBook {
  private final Map<String, NodeFacts> nodes = new HashMap<>();
  private final Map<String, AddressRange> granted = new HashMap<>();
  private ClusterPlan plan = new ClusterPlan(List.of(), List.of());

  /** What holds of a Node: a reason if it is refused. */
  record Found(Decision.State state, Optional<Reason> reason, Optional<String> prefix) {}

  void plan(ClusterPlan next) {
    plan = next;
  }

  void observe(NodeFacts node) {
    NodeFacts before = nodes.put(node.name(), node);
    if (before != null && !before.uid().equals(node.uid())) {
      granted.remove(node.name());
    }
  }

  void forget(String name) {
    nodes.remove(name);
    granted.remove(name);
  }

  Map<String, Found> decide() {
    granted
        .entrySet()
        .removeIf(
            each -> {
              NodeFacts node = nodes.get(each.getKey());
              return !node.podCidrs().isEmpty()
                  || wanted(node).filter(each.getValue()::equals).isEmpty()
                  || objection(node, each.getValue()).isPresent()
                  || nodes.values().stream()
                      .filter(other -> other != node)
                      .anyMatch(other -> writes(other, each.getValue()));
            });
    Map<String, Found> found = new HashMap<>();
    nodes.values().stream()
        .sorted(Comparator.comparing(NodeFacts::created).thenComparing(NodeFacts::name))
        .forEach(node -> found.put(node.name(), decide(node)));
    return found;
  }

  private Found decide(NodeFacts node) {
    if (pool(node).filter(pool -> pool.podPrefixLength().isPresent()).isEmpty()) {
      return node.pool().isEmpty() || node.wanted().isEmpty() || !node.podCidrs().isEmpty()
          ? plain(Decision.State.NONE)
          : refused(Reason.PrefixOutsidePool);
    }
    return node.podCidrs().isEmpty() ? ofRequest(node) : ofWritten(node);
  }

  private Found ofRequest(NodeFacts node) {
    if (node.wanted().isEmpty()) {
      return plain(Decision.State.WAITING);
    }
    Optional<AddressRange> wanted = wanted(node);
    if (wanted.isEmpty()) {
      return refused(Reason.PrefixInvalid);
    }
    Optional<Reason> objection = objection(node, wanted.get());
    if (objection.isPresent()) {
      return refused(objection.get());
    }
    boolean isTaken =
        nodes.values().stream()
            .filter(other -> other != node)
            .anyMatch(
                other ->
                    writes(other, wanted.get())
                        || Optional.ofNullable(granted.get(other.name()))
                            .filter(wanted.get()::overlaps)
                            .isPresent());
    if (isTaken) {
      return refused(Reason.PrefixTaken);
    }
    granted.put(node.name(), wanted.get());
    return new Found(Decision.State.GRANTED, Optional.empty(), Optional.of(wanted.get().text()));
  }

  private Found ofWritten(NodeFacts node) {
    for (String text : node.podCidrs()) {
      AddressRange mine = AddressRange.of(text);
      boolean isTaken =
          nodes.values().stream()
              .filter(
                  other ->
                      Comparator.comparing(NodeFacts::created)
                              .thenComparing(NodeFacts::name)
                              .compare(other, node)
                          < 0)
              .anyMatch(other -> writes(other, mine));
      if (isTaken) {
        return refused(Reason.PrefixTaken);
      }
      Optional<Reason> objection = objection(node, mine);
      if (objection.isPresent()) {
        return refused(objection.get());
      }
    }
    if (node.wanted().isEmpty()) {
      return plain(Decision.State.SET);
    }
    Optional<AddressRange> wanted = wanted(node);
    if (wanted.isEmpty()) {
      return refused(Reason.PrefixInvalid);
    }
    return node.podCidrs().stream()
            .map(AddressRange::of)
            .anyMatch(
                mine ->
                    mine.overlaps(wanted.get()) && mine.prefixBits() == wanted.get().prefixBits())
        ? plain(Decision.State.SET)
        : refused(Reason.PrefixMoved);
  }

  private static boolean writes(NodeFacts node, AddressRange range) {
    return node.podCidrs().stream().map(AddressRange::of).anyMatch(range::overlaps);
  }

  private Optional<PoolPlan> pool(NodeFacts node) {
    return plan.pools().stream().filter(pool -> pool.pool().equals(node.pool())).findFirst();
  }

  private static Optional<AddressRange> wanted(NodeFacts node) {
    return PrefixRequest.read(node.wanted())
        .prefix()
        .map(prefix -> AddressRange.of(prefix.toString()));
  }

  private Optional<Reason> objection(NodeFacts node, AddressRange range) {
    Optional<PoolPlan> pool = pool(node).filter(one -> one.podPrefixLength().isPresent());
    if (pool.isEmpty()
        || pool.get().prefixes().stream()
            .noneMatch(
                network -> network.overlaps(range) && network.prefixBits() <= range.prefixBits())) {
      return Optional.of(Reason.PrefixOutsidePool);
    }
    if (range.prefixBits() != pool.get().podPrefixLength().getAsInt()) {
      return Optional.of(Reason.PrefixInvalid);
    }
    return plan.reserved().stream().anyMatch(each -> each.range().overlaps(range))
        ? Optional.of(Reason.PrefixReserved)
        : Optional.empty();
  }

  private static Found plain(Decision.State state) {
    return new Found(state, Optional.empty(), Optional.empty());
  }

  private static Found refused(Reason reason) {
    return new Found(Decision.State.REFUSED, Optional.of(reason), Optional.empty());
  }
}
