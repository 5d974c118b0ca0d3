// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What all writers of a load saw together. Thread-safe. */
final class Tally {
  final Pauses writes = new Pauses();
  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Map<String, Set<Long>> sharedNumbers = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> sharedDoubts = new ConcurrentHashMap<>();

  /** A conflict, by whether another client's write was the cause. */
  enum Conflict {
    /** Another client wrote in between. */
    DUE,
    /** Nobody wrote, but the object's resourceVersion is far above: the Kind has moved. */
    MOVED,
    /** Nothing explains it. */
    BASELESS
  }

  void count(Conflict conflict) {
    add("conflicts " + conflict);
  }

  /** An answer that says nothing certain, or none. */
  void doubt(String what) {
    add("in doubt: " + what);
  }

  private void add(String what) {
    counts.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
  }

  int conflicts(Conflict conflict) {
    AtomicInteger count = counts.get("conflicts " + conflict);
    return count == null ? 0 : count.get();
  }

  /** Answers that said nothing certain. */
  int doubts() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("in doubt"))
        .mapToInt(entry -> entry.getValue().get())
        .sum();
  }

  /** Something that must never be. */
  void violated(String what) {
    violations.add(what);
  }

  List<String> violations() {
    return violations;
  }

  /** A client raised the number of an object that several clients write. */
  void raised(String name, long number) {
    if (!sharedNumbers.computeIfAbsent(name, _ -> ConcurrentHashMap.newKeySet()).add(number)) {
      violated("%s: two clients were told that they raised it to %d".formatted(name, number));
    }
  }

  /** A client can't tell whether it raised the number. */
  void mayBeRaised(String name) {
    sharedDoubts.computeIfAbsent(name, _ -> new AtomicInteger()).incrementAndGet();
  }

  /** Holds the number that an object has in the end to all that was acknowledged. */
  void checkShared(String name, long number) {
    Set<Long> acknowledged = sharedNumbers.getOrDefault(name, Set.of());
    AtomicInteger doubts = sharedDoubts.get(name);
    long most = acknowledged.size() + (doubts == null ? 0 : doubts.get());
    if (number < acknowledged.size() || number > most) {
      violated(
          "%s is at %d, of %d acknowledged increments and %d at most"
              .formatted(name, number, acknowledged.size(), most));
    }
  }

  @Override
  public String toString() {
    return "writes: %s; %s".formatted(writes, new TreeMap<>(counts));
  }
}
