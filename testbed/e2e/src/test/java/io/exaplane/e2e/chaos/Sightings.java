// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What an informer saw of a collection: revisions rise, and between two LISTs no acknowledged
 * change is missing. Threadsafe.
 */
public final class Sightings {
  private final List<String> problems = new ArrayList<>();

  /** Each change that was told, by revision. */
  private final NavigableMap<Long, String> seen = new TreeMap<>();

  private final NavigableMap<Long, String> acknowledged = new TreeMap<>();

  /** From a LIST's revision to the one that was seen last before the next LIST. */
  private final NavigableMap<Long, Long> covered = new TreeMap<>();

  private Map<String, Long> view = new HashMap<>();
  private long last;

  /** A LIST was answered; what happened since the last event may not be told any more. */
  public synchronized void listed(long revision, Map<String, Long> objects) {
    if (revision < last) {
      problems.add("a LIST has revision %d after %d was seen".formatted(revision, last));
    }
    last = Math.max(last, revision);
    covered.put(last, last);
    view = new HashMap<>(objects);
  }

  /** An object was made or changed. */
  public synchronized void changed(String key, long revision) {
    told(key, revision);
    view.put(key, revision);
  }

  /** An object was deleted, at that revision. */
  public synchronized void deleted(String key, long revision) {
    told(key, revision);
    view.remove(key);
  }

  /** Nothing happened up to a revision: a bookmark. */
  public synchronized void bookmarked(long revision) {
    advance("a bookmark", revision, false);
  }

  /** The API answered a write with this revision. */
  public synchronized void acknowledged(String key, long revision) {
    acknowledged.put(revision, key);
  }

  /** The revision from which a WATCH goes on. */
  public synchronized long last() {
    return last;
  }

  /** The number of LISTs. */
  public synchronized int lists() {
    return covered.size();
  }

  /** What was wrong so far; empty when nothing was. */
  public synchronized List<String> problems() {
    List<String> all = new ArrayList<>(problems);
    acknowledged.forEach(
        (revision, key) -> {
          Map.Entry<Long, Long> stretch = covered.lowerEntry(revision);
          if (stretch != null && stretch.getValue() >= revision && !seen.containsKey(revision)) {
            all.add("the change of %s at %d was not told".formatted(key, revision));
          }
        });
    return all;
  }

  /** Where what was told differs from a LIST's objects with their revisions. */
  public synchronized List<String> differences(Map<String, Long> objects) {
    Map<String, Long> all = new TreeMap<>(objects);
    view.forEach(all::putIfAbsent);
    return all.keySet().stream()
        .filter(key -> !objects.getOrDefault(key, 0L).equals(view.getOrDefault(key, 0L)))
        .map(
            key ->
                "%s is at %d, and was told at %d (0: not there)"
                    .formatted(key, objects.getOrDefault(key, 0L), view.getOrDefault(key, 0L)))
        .toList();
  }

  private void told(String key, long revision) {
    advance(key, revision, true);
    seen.put(revision, key);
  }

  private void advance(String what, long revision, boolean isChange) {
    if (isChange ? revision <= last : revision < last) {
      problems.add("%s at %d was told after %d".formatted(what, revision, last));
      return;
    }
    last = revision;
    if (!covered.isEmpty()) {
      covered.put(covered.lastKey(), revision);
    }
  }
}
