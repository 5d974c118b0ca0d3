// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

/** What the parts of the engine share. Single writer. */
final class State {
  /** Anybody may give labels of sets to objects, so no more of these are remembered. */
  static final int MOST_STRANGERS = 10_000;

  /** All requests wait so long, at most, after a refusal. */
  static final long MOST_HELD_MS = 1_000;

  private static final long MOST_KIND_MS = 60_000;

  final Options options;
  final Map<ObjectKey, Entry> entries = new HashMap<>();
  final Map<String, Kind> kinds = new LinkedHashMap<>();
  final List<Source> sources = new ArrayList<>();
  final ArrayDeque<Entry> ready = new ArrayDeque<>();
  final PriorityQueue<Timer> timers = new PriorityQueue<>();

  /** Objects that exist, carry the label of one of our sources, and are wanted by none. */
  final Set<Entry> orphans = new LinkedHashSet<>();

  /** Objects of ours that no source wants, and that the server is deleting. */
  final Set<Entry> leaving = new LinkedHashSet<>();

  final Pace pace;
  final Fights fights = new Fights();
  final Counters counters = new Counters();
  final SplittableRandom random;

  List<Action> out = new ArrayList<>();
  long now;

  /** When something is due that no timer holds; found anew in each step. */
  long pokeMs = Long.MAX_VALUE;

  int inFlight;
  private int strangers;
  private long tickets;
  private long timerNumbers;

  State(Options options) {
    this.options = options;
    pace = new Pace(options.most());
    random = new SplittableRandom(options.seed());
  }

  long ticket() {
    return ++tickets;
  }

  Entry entry(ObjectKey key) {
    return entries.computeIfAbsent(key, Entry::new);
  }

  /** An object that a list shows and no source named; null when there are too many. */
  Entry stranger(ObjectKey key) {
    if (strangers >= MOST_STRANGERS) {
      return null;
    }
    strangers++;
    Entry entry = entry(key);
    entry.stranger = true;
    return entry;
  }

  /** A source or an inventory names the object, or it is forgotten. */
  void noStranger(Entry entry) {
    strangers -= entry.stranger ? 1 : 0;
    entry.stranger = false;
  }

  Kind kind(ObjectKey key) {
    return kinds.get(groupKind(key));
  }

  static String groupKind(ObjectKey key) {
    return key.group().isEmpty() ? key.kind() : key.kind() + "." + key.group();
  }

  /** The source whose members carry a label; null when it is none of ours. */
  Source owner(String partOf) {
    for (Source one : sources) {
      if (!one.released && one.set.id().equals(partOf)) {
        return one;
      }
    }
    return null;
  }

  /** The source of a set; null when it is not known, or was released. */
  Source source(ApplySet set) {
    for (Source one : sources) {
      if (!one.released && one.set.equals(set)) {
        return one;
      }
    }
    return null;
  }

  void enqueue(Entry entry) {
    if (!entry.queued) {
      entry.queued = true;
      ready.add(entry);
    }
  }

  void enqueue(Entry[] some) {
    for (Entry one : some) {
      enqueue(one);
    }
  }

  void at(long atMs, Runnable what) {
    timers.add(new Timer(atMs, ++timerNumbers, what));
  }

  void poke(long atMs) {
    pokeMs = Math.min(pokeMs, atMs);
  }

  /** Decides on an entry again at a time, unless that happens earlier anyway. */
  void wake(Entry entry, long atMs) {
    if (entry.timerMs > now && entry.timerMs <= atMs) {
      return;
    }
    entry.timerMs = atMs;
    at(
        atMs,
        () -> {
          if (entry.timerMs == atMs) {
            entry.timerMs = 0;
          }
          enqueue(entry);
        });
  }

  /** After each change of an entry: whether it is to be pruned, saved, forgotten. */
  void classify(Entry entry) {
    boolean orphan =
        entry.manifest == null
            && entry.presence == Presence.PRESENT
            && !entry.pruned
            && owner(entry.partOf) != null;
    if (orphan) {
      orphans.add(entry);
    } else {
      orphans.remove(entry);
    }
    boolean goes =
        entry.manifest == null
            && entry.presence == Presence.DELETING
            && owner(entry.partOf) != null;
    if (goes) {
      leaving.add(entry);
    } else {
      leaving.remove(entry);
    }
    if (entry.manifest != null || entry.ticket != 0) {
      return;
    }
    boolean released =
        entry.presence == Presence.ABSENT
            || entry.presence == Presence.PRESENT && owner(entry.partOf) == null;
    if (released && entry.appliedManifest != 0) {
      forgetRecord(entry);
    }
    boolean unknown = entry.presence == Presence.UNSEEN && entry.appliedManifest == 0;
    if (!entry.unsure && (entry.presence == Presence.ABSENT || unknown)) {
      fights.forget(entry);
      noStranger(entry);
      entries.remove(entry.key);
    }
  }

  /** The inventory keeps no record of an object any more. */
  void forgetRecord(Entry entry) {
    dirty(entry);
    entry.appliedManifest = 0;
    entry.appliedSource = -1;
  }

  /** The record of an object changed. */
  void dirty(Entry entry) {
    if (entry.appliedSource >= 0) {
      Source source = sources.get(entry.appliedSource);
      if (!source.dirty()) {
        source.dirtySinceMs = now;
      }
      source.dirty.set(InventoryFormat.shard(entry.key, source.shards));
    }
  }

  void tell(Notice.Kind kind, Source source, Entry entry, String message) {
    Manifest manifest = entry == null ? null : entry.manifest;
    out.add(
        new Action.Tell(
            new Notice(
                kind,
                source == null ? "" : source.set.name(),
                entry == null ? null : entry.key,
                manifest == null ? null : manifest.source(),
                message)));
  }

  /**
   * Too many requests, or no answer. A webhook or an aggregated API of a tenant may say so of one
   * kind, and for long: only that kind waits as long as it says. A server that is busy says so of
   * each kind.
   */
  void overloaded(ObjectKey key, long retryAfterMs) {
    counters.throttled++;
    pace.overloaded(Math.min(retryAfterMs, MOST_HELD_MS), now);
    Kind kind = kind(key);
    if (kind != null && retryAfterMs > 0) {
      kind.heldUntilMs = Math.max(kind.heldUntilMs, now + Math.min(retryAfterMs, MOST_KIND_MS));
    }
  }

  /** 1, 2, 4 … times the first, up to the most. */
  static long backOff(int failures, long firstMs, long mostMs) {
    return Math.min(mostMs, firstMs << Math.clamp(failures - 1, 0, 30));
  }
}
