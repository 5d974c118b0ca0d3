// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;

/**
 * What a claim is given if its pod goes to a node.
 *
 * @param claim one that there is, or, if it has no name, one that has to be made for the pod's
 *     extended resources
 */
public record Grant(ResourceClaim claim, Allocation allocation) {
  /** Whether the claim has to be made. */
  public boolean isNew() {
    return claim.name().isEmpty();
  }
}
