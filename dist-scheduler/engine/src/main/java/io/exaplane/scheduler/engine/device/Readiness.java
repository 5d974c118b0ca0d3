// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.Set;

/**
 * Whether the devices that a claim was given let its pods be bound. Source:
 * plugins/dynamicresources/dynamicresources.go, isClaimReadyForBinding.
 */
public enum Readiness {
  /** All that has to become true is. */
  READY,
  WAITING,
  /** Something is true that may not be. */
  FAILED;

  /** Of a claim; one that was given nothing waits. The first device that is not ready decides. */
  public static Readiness of(ResourceClaim claim) {
    if (!claim.isAllocated()) {
      return WAITING;
    }
    for (Allocation.Result result : claim.allocation().results()) {
      if (!result.bindingConditions().isEmpty()) {
        Set<String> met = claim.conditions().get(result.device());
        if (met != null && result.bindingFailureConditions().stream().anyMatch(met::contains)) {
          return FAILED;
        }
        if (met == null || !met.containsAll(result.bindingConditions())) {
          return WAITING;
        }
      }
    }
    return READY;
  }
}
