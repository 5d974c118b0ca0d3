// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.ClaimPlan;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.device.ExtendedRequests;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.DynamicResources;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.PodClaims;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What decisions mean for the claims of devices of their pods. For the cluster's thread. Source:
 * dynamicresources.go, PreBind.
 */
final class Claims {
  private final Cluster cluster;

  /** By scheduler's name, for how long devices may take; none where claims are not looked at. */
  private final Map<String, Long> timeoutsNs = new HashMap<>();

  Claims(Cluster cluster, List<Profile> profiles) {
    this.cluster = cluster;
    for (Profile profile : profiles) {
      profile.filters().stream()
          .filter(DynamicResources.class::isInstance)
          .map(DynamicResources.class::cast)
          .forEach(plugin -> timeoutsNs.put(profile.schedulerName(), plugin.bindingTimeoutNs()));
    }
  }

  /** What has to be written. */
  ClaimPlan planOf(Decision decision) {
    PlacedPod pod = decision.pod();
    boolean claims = !pod.spec().claims().isEmpty() || !decision.grants().isEmpty();
    if (!claims || !timeoutsNs.containsKey(pod.spec().schedulerName())) {
      return ClaimPlan.NONE;
    }
    List<ResourceClaim> allocated =
        PodClaims.of(pod.spec(), cluster.devices()).claims().stream()
            .filter(ResourceClaim::isAllocated)
            .toList();
    List<ResourceClaim> shared =
        allocated.stream().filter(claim -> !claim.reservedFor().contains(pod.pod().uid())).toList();
    List<ResourceClaim> unready =
        allocated.stream().filter(claim -> claim.allocation().hasBindingConditions()).toList();
    List<Grant> grants =
        decision.grants().stream()
            .filter(grant -> !grant.isNew() || !grant.claim().requests().isEmpty())
            .toList();
    List<ExtendedRequests.Mapping> mappings =
        grants.stream()
            .filter(Grant::isNew)
            .flatMap(
                grant ->
                    ExtendedRequests.mappings(
                        pod.spec().containerDevices(), grant.claim().requests())
                        .stream())
            .toList();
    return new ClaimPlan(grants, shared, unready, mappings);
  }

  /**
   * What a pod waits for whose claims are written.
   *
   * @param made for its extended resources, or null
   */
  Waits.Awaited ready(Pod pod, ClaimPlan plan, ResourceClaim made) {
    return new DeviceWait(cluster, plan, made, timeoutsNs.get(pod.spec().schedulerName()));
  }
}
