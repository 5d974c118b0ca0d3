// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.order.Order;
import io.exaplane.apply.port.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Turns what sources want into entries with ranks and dependencies. Single writer. */
final class Sources {
  private static final int HALTED_AFTER = 3;
  private static final Entry[] NONE = {};

  private final State state;
  private final Kinds kinds;
  private final Applies applies;
  private final Resolver resolver;

  Sources(State state, Kinds kinds, Applies applies) {
    this.state = state;
    this.kinds = kinds;
    this.applies = applies;
    resolver = new Resolver(state, kinds);
  }

  void desired(Event.Desired event) {
    Source source = find(event.set());
    source.wanted = event;
    source.assigned = false;
    if (!source.loaded && !source.loading) {
      source.loading = true;
      source.requests++;
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
    Source known = state.source(set);
    if (known != null) {
      return known;
    }
    Source source = new Source(state.sources.size(), set);
    state.sources.add(source);
    return source;
  }

  /**
   * Lets go of a source: its objects and its inventory stay as they are. What is under way for it
   * ends, and a later wish begins with the inventory.
   */
  void released(ApplySet set) {
    Source source = state.source(set);
    if (source == null) {
      return;
    }
    source.release();
    for (Entry one : new ArrayList<>(state.entries.values())) {
      if (one.source == source.index) {
        one.unwanted();
        state.fights.forget(one);
      }
      if (one.appliedSource == source.index) {
        one.appliedSource = -1;
        one.appliedManifest = 0;
        one.appliedVersion = 0;
      }
      state.classify(one);
    }
    assignPending();
    assignOthers(source);
  }

  void loaded(Event.Loaded event) {
    Source source = state.sources.get(event.source());
    if (source.released) {
      return;
    }
    source.found = event.inventory().found();
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
      missing(source, one.key());
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

  /** Somebody took a kind out of the inventory's list, and records of such objects are there. */
  private void missing(Source source, ObjectKey key) {
    String groupKind = State.groupKind(key);
    if (!source.savedKinds.contains(groupKind)) {
      source.parentDirty = true;
      source.unnamedKinds.add(groupKind);
    }
  }

  void notLoaded(Event.NotLoaded event) {
    Source source = state.sources.get(event.source());
    if (source.released) {
      return;
    }
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
        () -> {
          if (!source.released) {
            source.requests++;
            state.out.add(new Action.Load(source.index, source.set));
          }
        });
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
    Map<ObjectKey, Manifest> wanted = resolver.resolve(source);
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
    rank(source, entries, Order.of(keyed(wanted), resolver::definition));
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
    wanted.forEach((key, one) -> all.add(one.as(key)));
    return all;
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
      entry.dependents = NONE;
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
    if (indices.length == 0) {
      return NONE;
    }
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
    Stream.concat(source.savedKinds.stream(), source.unnamedKinds.stream())
        .filter(one -> !state.kinds.containsKey(one))
        .forEach(one -> kinds.need(one, null));
    if (!needed.equals(source.neededKinds) && !source.savedKinds.equals(needed)) {
      source.parentDirty |= source.savedKinds.containsAll(needed) && source.loaded;
      source.dirtySinceMs = state.now;
    }
    source.neededKinds = needed;
  }
}
