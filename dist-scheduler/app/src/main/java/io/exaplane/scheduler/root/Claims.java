// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.ClaimPlan;
import io.exaplane.scheduler.explain.Decision;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.device.Allocation;
import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.plugin.Grant;
import io.exaplane.scheduler.plugin.PodClaims;
import java.util.List;
import java.util.stream.Stream;

/** What a decision means for the claims of devices of its pod. For the cluster's thread. */
final class Claims {
  private static final String NO_EXTENDED_RESOURCES =
      "devices for extended resources are not supported by this scheduler: claim them by a ResourceClaim, or give the pod another schedulerName";

  private static final String NO_BINDING_CONDITIONS =
      "devices with binding conditions are not supported by this scheduler: give the pod another schedulerName";

  private Claims() {}

  /** What has to be written of it. Source: dynamicresources.go, bindClaim. */
  static ClaimPlan of(Decision decision, Cluster cluster) {
    PlacedPod pod = decision.pod();
    if (pod.spec().claims().isEmpty() && decision.grants().isEmpty()) {
      return ClaimPlan.NONE;
    }
    List<ResourceClaim> shared =
        PodClaims.of(pod.spec(), cluster.devices()).claims().stream()
            .filter(ResourceClaim::isAllocated)
            .filter(claim -> !claim.reservedFor().contains(pod.pod().uid()))
            .toList();
    return new ClaimPlan(decision.grants(), shared);
  }

  /** What of it cannot be written yet, or null. */
  static String unsupported(ClaimPlan claims) {
    if (claims.grants().stream().anyMatch(Grant::isNew)) {
      return NO_EXTENDED_RESOURCES;
    }
    Stream<Allocation> all =
        Stream.concat(
            claims.grants().stream().map(Grant::allocation),
            claims.shared().stream().map(ResourceClaim::allocation));
    return all.anyMatch(Allocation::hasBindingConditions) ? NO_BINDING_CONDITIONS : null;
  }
}
