// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What matters of all feasible nodes together to how each of them is scored.
 *
 * @param nodes how many of them count
 * @param domains by constraint, the domains that they are in
 */
public record Crowd(int nodes, List<Domains> domains) {
  /** Of nodes that do not matter to each other. */
  public static final Crowd NONE = new Crowd(0, List.of());

  /**
   * Domains.
   *
   * @param alone how many there are that nodes elsewhere cannot be in
   * @param shared the values of the label in the others
   */
  public record Domains(int alone, Set<String> shared) {
    int count() {
      return alone + shared.size();
    }

    private Domains and(Domains other) {
      Set<String> both = new HashSet<>(shared);
      both.addAll(other.shared);
      return new Domains(alone + other.alone, both);
    }
  }

  /** These nodes and others. */
  public Crowd and(Crowd other) {
    List<Domains> both = new ArrayList<>();
    for (int i = 0; i < domains.size(); i++) {
      both.add(domains.get(i).and(other.domains.get(i)));
    }
    return new Crowd(nodes + other.nodes, both);
  }
}
