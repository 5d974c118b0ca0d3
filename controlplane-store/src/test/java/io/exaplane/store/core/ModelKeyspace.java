// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a keyspace should do, written to be read: every state of every revision is kept. */
final class ModelKeyspace {
  record Version(
      String key, String value, long createRevision, long modRevision, long version, long lease) {}

  /** A change; {@code now} is null for a deletion, {@code before} if there was none. */
  record Change(long revision, String key, Version now, Version before) {}

  private final TreeMap<Long, NavigableMap<String, Version>> states = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private NavigableMap<String, Version> working = new TreeMap<>();
  private boolean changed;
  long revision = 1;
  long compacted = -1;

  ModelKeyspace() {
    states.put(1L, new TreeMap<>());
  }

  void put(String key, String value, long lease) {
    Version before = working.get(key);
    Version now =
        before == null
            ? new Version(key, value, revision + 1, revision + 1, 1, lease)
            : new Version(
                key, value, before.createRevision(), revision + 1, before.version() + 1, lease);
    working.put(key, now);
    changes.add(new Change(revision + 1, key, now, before));
    changed = true;
  }

  boolean delete(String key) {
    Version before = working.remove(key);
    if (before == null) {
      return false;
    }
    changes.add(new Change(revision + 1, key, null, before));
    changed = true;
    return true;
  }

  void commit() {
    if (changed) {
      revision++;
      states.put(revision, working);
      working = new TreeMap<>(working);
      changed = false;
    }
  }

  void compact(long at) {
    compacted = at;
    states.headMap(at).clear();
    changes.removeIf(change -> change.revision() < at);
  }

  NavigableMap<String, Version> at(long revision) {
    return states.get(revision);
  }

  NavigableMap<String, Version> working() {
    return working;
  }

  /** The changes of a revision and later ones, in order. */
  List<Change> changesFrom(long revision) {
    return changes.stream().filter(change -> change.revision() >= revision).toList();
  }
}
