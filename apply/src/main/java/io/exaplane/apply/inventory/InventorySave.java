// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What to write of an inventory. Immutable.
 *
 * @param groupKinds all kinds of the set
 * @param namespaces all namespaces of the set
 * @param shards number of ConfigMaps
 * @param changed whole contents of the ConfigMaps that changed, by number; number 0 is always
 *     written, since it holds the kinds
 */
public record InventorySave(
    Set<String> groupKinds,
    Set<String> namespaces,
    int shards,
    Map<Integer, List<InventoryRecord>> changed) {
  public InventorySave {
    groupKinds = Set.copyOf(groupKinds);
    namespaces = Set.copyOf(namespaces);
    changed = Map.copyOf(changed);
  }
}
