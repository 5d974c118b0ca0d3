// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Why nodes are no candidates though they might have been. */
public final class Misses {
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final SortedSet<String> errors = new TreeSet<>();
  private int nodes;

  void refused(List<String> why) {
    nodes++;
    why.forEach(reason -> reasons.merge(reason, 1, Integer::sum));
  }

  void failed(String error) {
    nodes++;
    errors.add(error);
  }

  /** Of these nodes and others. */
  public Misses and(Misses others) {
    Misses both = new Misses();
    for (Misses one : List.of(this, others)) {
      one.reasons.forEach((reason, count) -> both.reasons.merge(reason, count, Integer::sum));
      both.errors.addAll(one.errors);
      both.nodes += one.nodes;
    }
    return both;
  }

  /** By reason, how many nodes. */
  public Map<String, Integer> reasons() {
    return reasons;
  }

  /** How many nodes there are. */
  public int nodes() {
    return nodes;
  }

  /** What went wrong at any of them, or null. */
  public String error() {
    return errors.size() < 2
        ? errors.stream().findFirst().orElse(null)
        : "[" + String.join(", ", errors) + "]";
  }
}
