// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.device.Outcome;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pod's claims would be given, by node: of one pod at a time in a cluster, however many
 * plans there are.
 */
final class Grants {
  private final Map<Integer, Found> byNode = new HashMap<>();
  private Object owner;

  private record Found(List<ResourceClaim> claims, Outcome outcome) {}

  /** Forgets those of the pod before. */
  void begin(Object whose) {
    byNode.clear();
    owner = whose;
  }

  void put(int node, List<ResourceClaim> claims, Outcome outcome) {
    byNode.put(node, new Found(claims, outcome));
  }

  /** Those on a node; none if nothing was found there, or it is about others by now. */
  List<Grant> get(Object whose, int node) {
    Found found = owner == whose ? byNode.get(node) : null;
    if (found == null) {
      return List.of();
    }
    List<Grant> grants = new ArrayList<>();
    List<Allocation> allocations = found.outcome().allocations();
    for (int i = 0; i < allocations.size(); i++) {
      grants.add(new Grant(found.claims().get(i), allocations.get(i)));
    }
    return grants;
  }
}
