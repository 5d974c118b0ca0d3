// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.inventory.InventorySave;
import io.exaplane.apply.port.Failure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes inventories: the kinds before the first object of a kind is created, the records at most
 * {@link Options#saveMs} after applies, and at once when nothing else is left to do. Single writer.
 */
final class Saves {
  private static final int HALTED_AFTER = 3;
  private static final long QUIET_MS = 1_000;

  private final State state;

  Saves(State state) {
    this.state = state;
  }

  /** Sends the writes that are due. */
  void run() {
    for (Source one : state.sources) {
      if (!one.loaded || !one.assigned || one.saving) {
        continue;
      }
      boolean ahead = !one.savedKinds.containsAll(one.neededKinds);
      if (!ahead && !one.dirty()) {
        continue;
      }
      long at = Math.max(one.notBeforeMs, ahead ? 0 : one.dirtySinceMs + patience(one));
      if (at <= state.now) {
        send(one);
      } else {
        state.poke(at);
      }
    }
  }

  private long patience(Source source) {
    boolean quiet = state.inFlight == 0 && state.ready.isEmpty() && source.settled();
    if (!quiet) {
      return state.options.saveMs();
    }
    return state.options.follow() ? QUIET_MS : 0;
  }

  private void send(Source source) {
    long count = 0;
    long names = 0;
    for (Entry one : state.entries.values()) {
      if (one.appliedSource == source.index) {
        count++;
        names += one.key.name().length();
      }
    }
    int shards = InventoryFormat.shards(count, names, source.shards);
    if (shards != source.shards) {
      source.shards = shards;
      source.dirty.set(0, shards);
    }
    source.dirty.set(0);
    Set<String> groupKinds = new TreeSet<>(source.neededKinds);
    Set<String> namespaces = new TreeSet<>();
    Map<Integer, List<InventoryRecord>> changed = new HashMap<>();
    source.dirty.stream().forEach(shard -> changed.put(shard, new ArrayList<>()));
    for (Entry one : state.entries.values()) {
      if (one.appliedSource == source.index) {
        collect(one, source, groupKinds, namespaces, changed);
      }
    }
    for (Entry one : state.orphans) {
      if (state.owner(one.partOf) == source) {
        groupKinds.add(State.groupKind(one.key));
      }
    }
    for (Entry one : state.leaving) {
      if (state.owner(one.partOf) == source) {
        // Finalizers may hold it for long, and another engine is to know of it.
        groupKinds.add(State.groupKind(one.key));
      }
    }
    for (String one : source.savedKinds) {
      Kind kind = state.kinds.get(one);
      if (kind == null || !kind.synced || inFlight(one)) {
        groupKinds.add(one);
      }
    }
    source.saving = true;
    source.savingShards = (BitSet) source.dirty.clone();
    source.savingKinds = groupKinds;
    source.dirty.clear();
    source.parentDirty = false;
    state.counters.saves++;
    source.requests += source.savingShards.cardinality();
    state.out.add(
        new Action.Save(
            source.index,
            source.set,
            new InventorySave(groupKinds, namespaces, source.shards, changed)));
  }

  /** Whether a request may still create an object of the kind. */
  private boolean inFlight(String groupKind) {
    for (Entry one : state.entries.values()) {
      if ((one.ticket != 0 || one.unsure) && State.groupKind(one.key).equals(groupKind)) {
        return true;
      }
    }
    return false;
  }

  private static void collect(
      Entry entry,
      Source source,
      Set<String> groupKinds,
      Set<String> namespaces,
      Map<Integer, List<InventoryRecord>> changed) {
    groupKinds.add(State.groupKind(entry.key));
    if (!entry.key.namespace().isEmpty()) {
      namespaces.add(entry.key.namespace());
    }
    List<InventoryRecord> shard = changed.get(InventoryFormat.shard(entry.key, source.shards));
    // An apply under way may change the object before it is answered: the old record stays true,
    // since the hash of the fields changes with it.
    if (shard != null && entry.appliedManifest != 0) {
      shard.add(
          new InventoryRecord(
              entry.key,
              entry.appliedManifest,
              entry.ownedFields,
              entry.ownedValues,
              entry.generation,
              entry.appliedVersion));
    }
  }

  void saved(Event.Saved event) {
    Source source = state.sources.get(event.source());
    source.saving = false;
    Failure failure = event.failure();
    if (source.released) {
      return;
    }
    if (failure == null) {
      source.found = true;
      boolean more = !source.savedKinds.containsAll(source.savingKinds);
      source.savedKinds = new TreeSet<>(source.savingKinds);
      source.failures = 0;
      source.halted = "";
      if (more) {
        source.all().forEach(state::enqueue);
      }
      return;
    }
    source.dirty.or(source.savingShards);
    source.parentDirty = true;
    source.failures++;
    source.notBeforeMs =
        state.now + Math.max(failure.retryAfterMs(), State.backOff(source.failures, 1_000, 60_000));
    String words =
        "the inventory, ConfigMap "
            + source.set.namespace()
            + "/"
            + source.set.name()
            + ", can't be written: "
            + failure.code()
            + " "
            + failure.reason()
            + ": "
            + failure.message()
            + "; nothing new is applied before. Create the namespace, or grant 'patch' on ConfigMaps";
    state.tell(Notice.Kind.INVENTORY, source, null, words);
    if (source.failures >= HALTED_AFTER) {
      source.halted = words;
    }
  }
}
