// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Health;
import java.util.List;

/**
 * How a source stands at one moment. Nobody writes into it.
 *
 * @param source name
 * @param counts number of objects by {@link Outcome#ordinal}
 * @param items each object
 * @param problems manifests that stand for no object of their own, such as duplicates
 * @param halted why nothing goes on at all; empty when it does
 * @param counters what the whole engine did so far
 * @param cost what the source itself cost
 * @param window how many requests may be under way at once now
 */
public record Summary(
    String source,
    int[] counts,
    List<Item> items,
    List<Notice> problems,
    String halted,
    Counters counters,
    Cost cost,
    int window) {
  /**
   * One object.
   *
   * @param key the object
   * @param place file and line
   * @param outcome how it stands
   * @param health by its status
   * @param generation {@code metadata.generation}; 0 when absent
   * @param words why it does not stand well, or who contests it; empty otherwise
   */
  public record Item(
      ObjectKey key,
      Manifest.Source place,
      Outcome outcome,
      Health health,
      long generation,
      String words) {}

  /**
   * How many objects stand like that.
   *
   * @param outcome how
   * @return number
   */
  public int count(Outcome outcome) {
    return counts[outcome.ordinal()];
  }

  /**
   * Whether every object is as its manifest says.
   *
   * @return false when anything failed, waits, or was left to others
   */
  public boolean good() {
    return halted.isEmpty()
        && problems.isEmpty()
        && count(Outcome.APPLIED) + count(Outcome.UNCHANGED) == items.size();
  }
}
