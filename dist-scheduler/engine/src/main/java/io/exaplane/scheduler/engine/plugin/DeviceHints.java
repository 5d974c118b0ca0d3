// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;

/** What pods hope for that lacked devices. Source: plugins/dynamicresources. */
final class DeviceHints {
  private final Devices devices;

  DeviceHints(Devices devices) {
    this.devices = devices;
  }

  /**
   * A claim gave devices back, or took them with it, or one of the pod's own is there, or was given
   * something.
   */
  boolean claimHelps(Pod pod, Change change) {
    ResourceClaim before = change.before(ResourceClaim.class);
    ResourceClaim after = change.after(ResourceClaim.class);
    if (after == null) {
      return before.isAllocated();
    }
    PodClaims own = PodClaims.of(pod.spec(), devices);
    if (own.problem() != null) {
      return false;
    }
    if (before != null && before.isAllocated() && !after.isAllocated()) {
      return true;
    }
    boolean uses = own.claims().stream().anyMatch(claim -> claim.uid().equals(after.uid()));
    return uses && (before == null || !before.hasStatusOf(after));
  }

  /** The pod's own claims were made. */
  boolean claimsAreThere(Pod pod, Change change) {
    return PodClaims.of(change.after(Pod.class).spec(), devices).problem() == null;
  }
}
