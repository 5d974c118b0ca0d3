// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.device.ExtendedRequests.Mapping;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.List;

/**
 * What becomes of the claims of devices of a pod that goes to a node. Immutable.
 *
 * @param grants claims that get devices, and are kept for the pod
 * @param shared claims that have theirs already, and are kept for the pod from now on
 * @param unready claims that have theirs already, which may have to get ready
 * @param mappings which container gets what of the claim that is made for extended resources
 */
public record ClaimPlan(
    List<Grant> grants,
    List<ResourceClaim> shared,
    List<ResourceClaim> unready,
    List<Mapping> mappings) {
  public static final ClaimPlan NONE = new ClaimPlan(List.of(), List.of(), List.of(), List.of());

  public boolean isEmpty() {
    return grants.isEmpty() && shared.isEmpty() && unready.isEmpty();
  }

  /** Whether something has to become true before the pod is bound. */
  public boolean hasBindingConditions() {
    return !unready.isEmpty()
        || grants.stream().map(Grant::allocation).anyMatch(Allocation::hasBindingConditions);
  }
}
