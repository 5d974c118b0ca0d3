// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.PodClaims;
import java.util.ArrayList;
import java.util.List;

/** What the API server would tell of claims after a decision. */
public final class ClaimEffects {
  private ClaimEffects() {}

  /**
   * Whether the claims of a pod that goes to a node are told to have their devices. Devices that
   * have to get ready are kept until they are, and so are those in place of extended resources,
   * whose claim has no name yet.
   */
  public static boolean areTold(Pod pod, List<Grant> grants, Devices devices) {
    return grants.stream().noneMatch(grant -> grant.isNew() || waits(grant.allocation()))
        && PodClaims.of(pod.spec(), devices).claims().stream()
            .noneMatch(claim -> claim.isAllocated() && waits(claim.allocation()));
  }

  private static boolean waits(Allocation allocation) {
    return allocation.hasBindingConditions();
  }

  /** Claims that are told have their devices, and the pod uses them; of others they are kept. */
  public static void given(Pod pod, List<Grant> grants, Devices devices) {
    if (!areTold(pod, grants, devices)) {
      grants.forEach(grant -> devices.reserve(grant.claim(), grant.allocation()));
      return;
    }
    for (Grant grant : grants) {
      devices.putClaim(grant.claim().given(grant.allocation(), grant.claim().reservedFor()));
    }
    for (ResourceClaim claim : PodClaims.of(pod.spec(), devices).claims()) {
      List<String> users = new ArrayList<>(claim.reservedFor());
      if (claim.isAllocated() && !users.contains(pod.uid())) {
        users.add(pod.uid());
        devices.putClaim(claim.given(claim.allocation(), users));
      }
    }
  }

  /** A pod has left its node: claims that it alone used have no devices any more. */
  public static void evicted(PlacedPod pod, Devices devices) {
    for (ResourceClaim claim : PodClaims.of(pod.spec(), devices).claims()) {
      if (claim.isAllocated() && List.of(pod.pod().uid()).containsAll(claim.reservedFor())) {
        givenUp(claim, devices);
      }
    }
    ResourceClaim extended = devices.claimForExtendedResources(pod.pod().uid());
    if (extended != null) {
      givenUp(extended, devices);
    }
  }

  /** A claim is deallocated, or, if it was made for extended resources, deleted. */
  public static void givenUp(ResourceClaim claim, Devices devices) {
    if (claim.forExtendedResources()) {
      devices.removeClaim(claim.key());
    } else {
      devices.putClaim(claim.given(null, List.of()));
    }
  }
}
