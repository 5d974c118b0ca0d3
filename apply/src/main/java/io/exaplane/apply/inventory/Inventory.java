// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import java.util.List;
import java.util.Set;

/**
 * What a source has applied. Immutable.
 *
 * @param groupKinds kinds that its objects may have, as {@code Kind.group}; written before the
 *     first object of a kind is created, so that no object is ever lost
 * @param shards number of ConfigMaps, a power of two
 * @param records one for each object whose last apply was saved
 * @param damage why records are missing; empty when none are. Their objects are applied again.
 * @param found whether the server has an inventory of the source
 */
public record Inventory(
    Set<String> groupKinds,
    int shards,
    List<InventoryRecord> records,
    String damage,
    boolean found) {
  /** Of a source that never applied anything, or whose inventory somebody deleted. */
  public static final Inventory EMPTY = new Inventory(Set.of(), 1, List.of(), "", false);

  /** Of an inventory that the server has. */
  public Inventory(
      Set<String> groupKinds, int shards, List<InventoryRecord> records, String damage) {
    this(groupKinds, shards, records, damage, true);
  }

  public Inventory {
    groupKinds = Set.copyOf(groupKinds);
    records = List.copyOf(records);
  }
}
