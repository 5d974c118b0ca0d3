// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.plugin.Grant;
import java.util.List;

/**
 * What becomes of the claims of devices of a pod that goes to a node. Immutable.
 *
 * @param grants claims that get devices, and are kept for the pod
 * @param shared claims that have theirs already, and are kept for the pod from now on
 */
public record ClaimPlan(List<Grant> grants, List<ResourceClaim> shared) {
  public static final ClaimPlan NONE = new ClaimPlan(List.of(), List.of());

  public boolean isEmpty() {
    return grants.isEmpty() && shared.isEmpty();
  }
}
