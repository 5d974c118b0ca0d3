// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import io.exaplane.apply.manifest.Gvk;
import java.util.Map;
import java.util.Set;

/**
 * What the server serves at one moment. Immutable.
 *
 * @param types every kind, in every version
 * @param staleGroups groups whose aggregated server did not answer: their kinds may be missing or
 *     old
 */
public record Discovery(Map<Gvk, ResourceType> types, Set<String> staleGroups) {
  public Discovery {
    types = Map.copyOf(types);
    staleGroups = Set.copyOf(staleGroups);
  }
}
