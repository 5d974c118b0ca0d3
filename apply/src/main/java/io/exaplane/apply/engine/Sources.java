// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.order.Definition;
import io.exaplane.apply.order.Order;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Turns what sources want into entries with ranks and dependencies. Single writer. */
final class Sources {
  private static final int HALTED_AFTER = 3;
  private static final int MOST_DEFINITIONS = 20_000;

  private final State state;
  private final Kinds kinds;
  private final Applies applies;
  private final Map<Long, Optional<Definition>> definitions = new HashMap<>();

  Sources(State state, Kinds kinds, Applies applies) {
    this.state = state;
    this.kinds = kinds;
    this.applies = applies;
  }

  void desired(Event.Desired event) {
    Source source = find(event.set());
    source.wanted = event;
    source.assigned = false;
    if (!source.loaded && !source.loading) {
      source.loading = true;
      state.out.add(new Action.Load(source.index, source.set));
    }
    source.fresh = true;
    if (!kinds.known()) {
      kinds.ask();
    } else {
      assignPending();
    }
  }

  /**
   * Sources whose inventories are read together are assigned in their order, by whatever came
   * first.
   */
  private void assignPending() {
    for (Source one : state.sources) {
      if (one.wanted != null && !one.loaded && one.failures == 0) {
        return;
      }
    }
    for (Source one : state.sources) {
      if (kinds.known() && one.loaded && one.wanted != null && !one.assigned) {
        assign(one);
        assignOthers(one);
      }
    }
  }

  /** What this source dropped, another one may have waited for. */
  private void assignOthers(Source source) {
    for (Source one : state.sources) {
      if (one != source && one.assigned && !one.problems.isEmpty()) {
        assign(one);
      }
    }
  }

  private Source find(ApplySet set) {
    for (Source one : state.sources) {
      if (one.set.equals(set)) {
        return one;
      }
    }
    Source source = new Source(state.sources.size(), set);
    state.sources.add(source);
    return source;
  }

  void loaded(Event.Loaded event) {
    Source source = state.sources.get(event.source());
    Inventory inventory = event.inventory();
    source.loading = false;
    source.loaded = true;
    source.failures = 0;
    source.halted = "";
    source.shards = inventory.shards();
    source.savedKinds = new TreeSet<>(inventory.groupKinds());
    if (!inventory.damage().isEmpty()) {
      state.tell(Notice.Kind.INVENTORY, source, null, inventory.damage());
    }
    for (InventoryRecord one : inventory.records()) {
      Entry entry = state.entry(one.key());
      state.noStranger(entry);
      // Two sources that handed an object over may both have a record: the later one counts.
      if (one.resourceVersion() > entry.appliedVersion) {
        state.dirty(entry);
        entry.appliedVersion = one.resourceVersion();
        entry.appliedManifest = one.manifest();
        entry.ownedFields = one.fields();
        entry.ownedValues = one.values();
        entry.appliedSource = source.index;
      }
      Kind kind = state.kind(one.key());
      if (kind != null && kind.crowded) {
        kinds.lookAgain(kind);
      } else if (kind != null && kind.synced && entry.presence == Presence.UNSEEN) {
        entry.gone(kind.version);
      }
    }
    // Members of the set that lists showed before the engine knew the set.
    new ArrayList<>(state.entries.values()).forEach(state::classify);
    assignPending();
  }

  void notLoaded(Event.NotLoaded event) {
    Source source = state.sources.get(event.source());
    Failure failure = event.failure();
    source.failures++;
    boolean taken = failure.reason().equals(Failure.TAKEN);
    String words =
        taken
            ? failure.message()
            : "the inventory, ConfigMap "
                + source.set.namespace()
                + "/"
                + source.set.name()
                + ", can't be read: "
                + failure.message()
                + "; nothing is applied before. Grant 'get' on ConfigMaps, or check the connection";
    state.tell(Notice.Kind.INVENTORY, source, null, words);
    source.halted = taken || source.failures >= HALTED_AFTER ? words : "";
    state.at(
        state.now + Math.max(failure.retryAfterMs(), State.backOff(source.failures, 500, 60_000)),
        () -> state.out.add(new Action.Load(source.index, source.set)));
    assignPending();
  }

  /** What the server serves changed: scopes and kinds may be known now. */
  void kindsChanged() {
    for (Source one : state.sources) {
      if (one.assigned) {
        assign(one);
      }
    }
    assignPending();
  }

  private void assign(Source source) {
    source.problems.clear();
    Map<ObjectKey, Manifest> wanted = resolve(source);
    List<Entry> before = source.all();
    for (Entry one : before) {
      if (!wanted.containsKey(one.key)) {
        one.unwanted();
        state.fights.forget(one);
        state.classify(one);
        state.enqueue(one);
      }
    }
    List<Kind> crowded = crowded(source, wanted.keySet());
    List<Entry> entries = new ArrayList<>(wanted.size());
    wanted.forEach((key, manifest) -> entries.add(take(source, key, manifest)));
    rank(source, entries, Order.of(keyed(wanted), this::definition));
    need(source, entries);
    crowded.forEach(kinds::lookAgain);
    source.assigned = true;
    source.fresh = false;
    applies.advance(source);
    entries.forEach(state::enqueue);
  }

  /** Kinds of which objects were left out that may be the ones of manifests that are new. */
  private List<Kind> crowded(Source source, Set<ObjectKey> wanted) {
    return state.kinds.values().stream()
        .filter(kind -> kind.crowded)
        .filter(
            kind ->
                kind.hidden && source.fresh
                    || wanted.stream()
                        .anyMatch(
                            key ->
                                !state.entries.containsKey(key)
                                    && State.groupKind(key).equals(kind.groupKind)))
        .toList();
  }

  private static List<Manifest> keyed(Map<ObjectKey, Manifest> wanted) {
    List<Manifest> all = new ArrayList<>(wanted.size());
    wanted.forEach(
        (key, one) ->
            all.add(
                key.equals(one.key())
                    ? one
                    : new Manifest(
                        one.gvk(), key, one.body(), one.hash(), one.annotations(), one.source())));
    return all;
  }

  /** Keys with namespaces; what comes twice, or is wanted by another source, is a problem. */
  private Map<ObjectKey, Manifest> resolve(Source source) {
    Map<String, Boolean> scopes = new HashMap<>();
    for (Manifest one : source.wanted.manifests()) {
      if (one.gvk().kind().equals("CustomResourceDefinition")) {
        definition(one).ifPresent(found -> scopes.put(found.groupKind(), found.namespaced()));
      }
    }
    Map<ObjectKey, Manifest> wanted = new LinkedHashMap<>();
    for (Manifest one : source.wanted.manifests()) {
      ObjectKey key = key(one, scopes);
      Entry entry = state.entries.get(key);
      if (entry != null && entry.source >= 0 && entry.source != source.index) {
        problem(
            source,
            key,
            one,
            "also in source '"
                + state.sources.get(entry.source).set.name()
                + "' at "
                + entry.manifest.source());
        continue;
      }
      Source owner = promised(source, entry, key, scopes);
      if (owner != null) {
        problem(source, key, one, "also in source '" + owner.set.name() + "', which has it");
        continue;
      }
      Manifest first = wanted.putIfAbsent(key, one);
      if (first != null) {
        problem(source, key, one, "already described at " + first.source());
      }
    }
    return wanted;
  }

  /** The source that applied an object before a restart and still wants it, though not told yet. */
  private Source promised(Source source, Entry entry, ObjectKey key, Map<String, Boolean> scopes) {
    if (entry == null || entry.appliedSource < 0 || entry.appliedSource == source.index) {
      return null;
    }
    Source other = state.sources.get(entry.appliedSource);
    if (other.assigned || other.wanted == null) {
      return null;
    }
    for (Manifest one : other.wanted.manifests()) {
      if (one.key().name().equals(key.name()) && key(one, scopes).equals(key)) {
        return other;
      }
    }
    return null;
  }

  private Optional<Definition> definition(Manifest manifest) {
    if (!manifest.gvk().kind().equals("CustomResourceDefinition")) {
      return Optional.empty();
    }
    if (definitions.size() > MOST_DEFINITIONS) {
      definitions.clear();
    }
    return definitions.computeIfAbsent(manifest.hash(), any -> Definition.of(manifest));
  }

  private void problem(Source source, ObjectKey key, Manifest manifest, String where) {
    Notice notice =
        new Notice(
            Notice.Kind.FAILED,
            source.set.name(),
            key,
            manifest.source(),
            key + " is " + where + ". Each object must stand once; delete one of the two.");
    source.problems.put(manifest.source() + " " + key, notice);
    state.out.add(new Action.Tell(notice));
  }

  private ObjectKey key(Manifest manifest, Map<String, Boolean> scopes) {
    Gvk gvk = manifest.gvk();
    ResourceType type = kinds.type(gvk);
    type = type == null ? kinds.type(gvk.groupKind()) : type;
    Boolean namespaced =
        type != null ? Boolean.valueOf(type.namespaced()) : scopes.get(gvk.groupKind());
    if (namespaced == null) {
      return manifest.key();
    }
    if (!namespaced) {
      return manifest.key().in("");
    }
    String namespace = manifest.key().namespace();
    return manifest.key().in(namespace.isEmpty() ? state.options.defaultNamespace() : namespace);
  }

  private Entry take(Source source, ObjectKey key, Manifest manifest) {
    Entry entry = state.entry(key);
    state.noStranger(entry);
    boolean same = entry.manifest != null && entry.manifest.hash() == manifest.hash();
    entry.source = source.index;
    entry.manifest = manifest;
    entry.pruned = false;
    if (source.fresh || !same) {
      entry.settled = false;
      entry.waitingSinceMs = 0;
    }
    if (!same) {
      entry.failures = 0;
      entry.notBeforeMs = 0;
      entry.yieldedTo = 0;
      entry.words = "";
    }
    boolean good = entry.outcome == Outcome.APPLIED || entry.outcome == Outcome.UNCHANGED;
    if (!same || good && source.fresh) {
      entry.outcome = Outcome.PENDING;
    }
    state.classify(entry);
    return entry;
  }

  private void rank(Source source, List<Entry> entries, Order.Plan plan) {
    List<List<Entry>> ranks = new ArrayList<>();
    for (int at = 0; at < plan.rankCount(); at++) {
      ranks.add(new ArrayList<>());
    }
    int[] remaining = new int[plan.rankCount()];
    Map<Entry, List<Entry>> dependents = new HashMap<>();
    for (int at = 0; at < entries.size(); at++) {
      Entry entry = entries.get(at);
      entry.rank = plan.ranks()[at];
      ranks.get(entry.rank).add(entry);
      remaining[entry.rank] += entry.settled ? 0 : 1;
      entry.needs = some(entries, plan.needs()[at], entry, dependents);
      entry.waitsFor = some(entries, plan.waitsFor()[at], entry, dependents);
      entry.dependents = new Entry[0];
      entry.unordered = false;
    }
    dependents.forEach((one, behind) -> one.dependents = behind.toArray(new Entry[0]));
    source.ranks = ranks;
    source.remaining = remaining;
    source.open = 0;
    plan.problems()
        .forEach(
            (at, words) -> {
              Entry entry = entries.get(at);
              entry.unordered = true;
              applies.refusals().stands(entry, source, words);
            });
  }

  private static Entry[] some(
      List<Entry> entries, int[] indices, Entry behind, Map<Entry, List<Entry>> dependents) {
    Entry[] some = new Entry[indices.length];
    for (int at = 0; at < some.length; at++) {
      some[at] = entries.get(indices[at]);
      dependents.computeIfAbsent(some[at], any -> new ArrayList<>(2)).add(behind);
    }
    return some;
  }

  /** The kinds to list, and to name in the inventory before anything of them is created. */
  private void need(Source source, List<Entry> entries) {
    TreeSet<String> needed = new TreeSet<>();
    for (Entry one : entries) {
      String groupKind = State.groupKind(one.key);
      if (needed.add(groupKind) && !state.kinds.containsKey(groupKind)) {
        kinds.need(groupKind, one.manifest.gvk());
      }
    }
    for (String one : source.savedKinds) {
      if (!state.kinds.containsKey(one)) {
        kinds.need(one, null);
      }
    }
    if (!needed.equals(source.neededKinds) && !source.savedKinds.equals(needed)) {
      source.parentDirty |= source.savedKinds.containsAll(needed) && source.loaded;
      source.dirtySinceMs = state.now;
    }
    source.neededKinds = needed;
  }
}
