// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.PrefixRules.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which Node has which prefix. No two Nodes get prefixes that overlap:
 *
 * <ul>
 *   <li>What stands in spec.podCIDRs is a fact, whoever wrote it, also on a Node without a pool. Of
 *       two facts that overlap, the younger Node's is told of.
 *   <li>Who asked first and was granted keeps it, until the Node is gone, or asks for another
 *       prefix before the first was written.
 *   <li>Of two that ask between two decisions, the older Node gets it, then the one whose name is
 *       first.
 *   <li>Who was refused gets it as soon as the other one is gone.
 * </ul>
 *
 * Each decision is O(log n) for each Node that a change concerns. Knows no clock and no API. One
 * thread at a time.
 */
final class PrefixBook {
  private static final Comparator<Entry> OLDEST =
      Comparator.comparing((Entry entry) -> entry.facts.created())
          .thenComparing(entry -> entry.facts.name());

  private final Map<String, Entry> entries = new HashMap<>();

  /** What stands in spec.podCIDRs. */
  private final PrefixIndex written = new PrefixIndex();

  /** What was granted and is not written yet. */
  private final PrefixIndex granted = new PrefixIndex();

  /** What would be granted if nobody else had it. */
  private final PrefixIndex waiting = new PrefixIndex();

  private Set<String> touched = new HashSet<>();
  private ClusterPlan plan = new ClusterPlan(List.of(), List.of());
  private PrefixRules rules = new PrefixRules(plan);

  /** One Node. */
  private static final class Entry {
    private NodeFacts facts;
    private List<Prefix> written = List.of();
    private Optional<PrefixRequest> request = Optional.empty();
    private Optional<Prefix> granted = Optional.empty();
    private Optional<Prefix> waiting = Optional.empty();
    private Decision decision = Decision.NONE;

    Entry(NodeFacts facts) {
      this.facts = facts;
    }
  }

  /** What holds from now on. */
  void plan(ClusterPlan next) {
    if (!next.equals(plan)) {
      plan = next;
      rules = new PrefixRules(next);
      touched.addAll(entries.keySet());
    }
  }

  /** A Node as it is now. */
  void observe(NodeFacts facts) {
    Entry entry = entries.get(facts.name());
    if (entry != null && !entry.facts.uid().equals(facts.uid())) {
      forget(facts.name());
      entry = null;
    }
    if (entry != null && entry.facts.asksAs(facts)) {
      entry.facts = facts;
      return;
    }
    if (entry == null) {
      entry = new Entry(facts);
      entries.put(facts.name(), entry);
    }
    entry.facts = facts;
    entry.request =
        facts.wanted().isEmpty()
            ? Optional.empty()
            : Optional.of(PrefixRequest.read(facts.wanted()));
    write(entry, prefixes(facts));
    touched.add(facts.name());
  }

  /** IPv4 has nothing in common with what is asked here. */
  private static List<Prefix> prefixes(NodeFacts facts) {
    return facts.podCidrs().stream()
        .flatMap(cidr -> AddressRange.parse(cidr).stream())
        .flatMap(range -> Prefix.of(range).stream())
        .distinct()
        .toList();
  }

  private void write(Entry entry, List<Prefix> now) {
    if (entry.written.equals(now)) {
      return;
    }
    String name = entry.facts.name();
    entry.written.forEach(prefix -> written.remove(prefix, name));
    now.forEach(prefix -> written.add(prefix, name));
    entry.written.forEach(this::touch);
    now.forEach(this::touch);
    entry.written = now;
  }

  /** A Node that is gone; what it had is free. */
  void forget(String name) {
    Entry entry = entries.remove(name);
    if (entry != null) {
      entry.waiting.ifPresent(prefix -> waiting.remove(prefix, name));
      release(entry);
      write(entry, List.of());
      touched.remove(name);
    }
  }

  private void release(Entry entry) {
    entry.granted.ifPresent(
        prefix -> {
          granted.remove(prefix, entry.facts.name());
          entry.granted = Optional.empty();
          touch(prefix);
        });
  }

  /** Whoever has something to do with the prefix is looked at again. */
  private void touch(Prefix prefix) {
    for (PrefixIndex index : List.of(written, granted, waiting)) {
      // No answer is wanted, so all are visited.
      index.first(
          prefix,
          held -> {
            touched.add(held.owner());
            return false;
          });
    }
  }

  /** Decides all that changed since, and returns the Nodes for which another thing holds now. */
  List<String> decide() {
    Set<String> all = new HashSet<>();
    while (!touched.isEmpty()) {
      Set<String> round = touched;
      touched = new HashSet<>();
      all.addAll(round);
      for (String name : round) {
        Entry entry = entries.get(name);
        if (entry != null && entry.granted.isPresent() && !mayKeep(entry)) {
          release(entry);
        }
      }
    }
    List<Entry> open = new ArrayList<>(all.size());
    all.forEach(name -> Optional.ofNullable(entries.get(name)).ifPresent(open::add));
    open.sort(OLDEST);
    List<String> changed = new ArrayList<>();
    for (Entry entry : open) {
      Decision before = entry.decision;
      entry.decision = decide(entry);
      if (!before.equals(entry.decision)) {
        changed.add(entry.facts.name());
      }
    }
    return changed;
  }

  private boolean mayKeep(Entry entry) {
    Prefix prefix = entry.granted.get();
    return entry.facts.podCidrs().isEmpty()
        && entry.request.flatMap(PrefixRequest::prefix).filter(prefix::equals).isPresent()
        && rules.bringsPrefixes(entry.facts.pool())
        && rules.objection(entry.facts.pool(), Field.REQUEST, prefix).isEmpty()
        && others(written, entry, prefix).isEmpty();
  }

  private Optional<PrefixIndex.Held> others(PrefixIndex index, Entry entry, Prefix prefix) {
    return index.first(prefix, held -> !held.owner().equals(entry.facts.name()));
  }

  private Decision decide(Entry entry) {
    String name = entry.facts.name();
    entry.waiting.ifPresent(prefix -> waiting.remove(prefix, name));
    entry.waiting = Optional.empty();
    if (!rules.bringsPrefixes(entry.facts.pool())) {
      boolean asks =
          !entry.facts.pool().isEmpty()
              && entry.request.isPresent()
              && entry.facts.podCidrs().isEmpty();
      return asks ? PrefixRules.noPool(entry.facts.pool()) : Decision.NONE;
    }
    return entry.facts.podCidrs().isEmpty() ? ofRequest(entry) : ofWritten(entry);
  }

  private Decision ofRequest(Entry entry) {
    if (entry.request.isEmpty()) {
      return Decision.WAITING;
    }
    if (entry.request.get().prefix().isEmpty()) {
      return PrefixRules.invalid(entry.request.get().problem());
    }
    Prefix prefix = entry.request.get().prefix().get();
    if (entry.granted.isPresent()) {
      return Decision.granted(prefix);
    }
    Optional<Decision> objection = rules.objection(entry.facts.pool(), Field.REQUEST, prefix);
    if (objection.isPresent()) {
      return objection.get();
    }
    String name = entry.facts.name();
    Optional<PrefixIndex.Held> other =
        others(written, entry, prefix).or(() -> others(granted, entry, prefix));
    if (other.isPresent()) {
      waiting.add(prefix, name);
      entry.waiting = Optional.of(prefix);
      return PrefixRules.taken(Field.REQUEST, prefix, other.get());
    }
    granted.add(prefix, name);
    entry.granted = Optional.of(prefix);
    return Decision.granted(prefix);
  }

  /** Nothing that stands there can be changed; what is wrong with it can be told. */
  private Decision ofWritten(Entry entry) {
    for (Prefix prefix : entry.written) {
      Optional<Decision> objection =
          written
              .first(prefix, held -> isOlder(held, entry))
              .map(held -> PrefixRules.taken(Field.WRITTEN, prefix, held))
              .or(() -> rules.objection(entry.facts.pool(), Field.WRITTEN, prefix));
      if (objection.isPresent()) {
        return objection.get();
      }
    }
    if (entry.request.isEmpty()) {
      return Decision.SET;
    }
    PrefixRequest request = entry.request.get();
    if (request.prefix().isEmpty()) {
      return PrefixRules.invalid(request.problem());
    }
    return entry.written.contains(request.prefix().get())
        ? Decision.SET
        : PrefixRules.moved(entry.facts.wanted(), entry.written);
  }

  /**
   * Whether the host of a Node has another prefix than the Node, another Node of the name would get
   * that one now, and the host would make that Node.
   */
  boolean mayMove(String name) {
    Entry entry = entries.get(name);
    return entry != null
        && entry.facts.readdresses()
        && entry.decision.reason().filter(Reason.PrefixMoved::equals).isPresent()
        && entry
            .request
            .flatMap(PrefixRequest::prefix)
            .filter(
                prefix ->
                    rules.objection(entry.facts.pool(), Field.REQUEST, prefix).isEmpty()
                        && others(written, entry, prefix).isEmpty()
                        && others(granted, entry, prefix).isEmpty())
            .isPresent();
  }

  private boolean isOlder(PrefixIndex.Held held, Entry entry) {
    return OLDEST.compare(entries.get(held.owner()), entry) < 0;
  }

  /** The Nodes as they were observed last. */
  Collection<NodeFacts> nodes() {
    return entries.values().stream().map(entry -> entry.facts).toList();
  }

  Optional<NodeFacts> facts(String name) {
    return Optional.ofNullable(entries.get(name)).map(entry -> entry.facts);
  }

  /** What was decided last; nothing of a Node that is not known. */
  Decision decision(String name) {
    Entry entry = entries.get(name);
    return entry == null ? Decision.NONE : entry.decision;
  }
}
