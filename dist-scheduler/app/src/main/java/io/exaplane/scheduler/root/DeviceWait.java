// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.ClaimPlan;
import io.exaplane.scheduler.device.Readiness;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.device.ResourceClaim;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a pod whose claims are written have to get ready. For the cluster's thread.
 * Source: dynamicresources.go, isPodReadyForBinding.
 */
final class DeviceWait implements Waits.Awaited {
  private static final String TIMEOUT = "device binding timeout";

  private final Cluster cluster;
  private final ClaimPlan plan;
  private final long timeoutNs;
  private long sinceNs = Fields.NO_TIME;

  DeviceWait(Cluster cluster, ClaimPlan plan, long timeoutNs) {
    this.cluster = cluster;
    this.plan = plan;
    this.timeoutNs = timeoutNs;
  }

  @Override
  public String outcome(PlacedPod pod, long nowNs) {
    sinceNs = sinceNs == Fields.NO_TIME ? nowNs : sinceNs;
    boolean ready = true;
    List<ResourceClaim> planned = new ArrayList<>(plan.unready());
    plan.grants().forEach(grant -> planned.add(grant.claim()));
    for (ResourceClaim each : planned) {
      ResourceClaim claim = now(each, pod.pod().uid());
      if (claim == null && !each.name().isEmpty()) {
        return "claim %s is gone".formatted(each.key());
      }
      // One that was made just now may not be told of yet.
      switch (claim == null ? Readiness.WAITING : Readiness.of(claim)) {
        case FAILED -> {
          return "device binding failed: claim=" + claim.name();
        }
        case WAITING -> {
          if (isTooLate(sinceNs, nowNs) || isTooLate(givenNs(claim), nowNs)) {
            return TIMEOUT;
          }
          ready = false;
        }
        case READY -> {}
      }
    }
    return ready ? Waits.NOTHING_WRONG : null;
  }

  private ResourceClaim now(ResourceClaim planned, String podUid) {
    return planned.name().isEmpty()
        ? cluster.devices().claimForExtendedResources(podUid)
        : cluster.devices().claim(planned.namespace(), planned.name());
  }

  private static long givenNs(ResourceClaim claim) {
    return claim == null || !claim.isAllocated() ? Fields.NO_TIME : claim.allocation().sinceNs();
  }

  private boolean isTooLate(long fromNs, long nowNs) {
    return fromNs != Fields.NO_TIME && fromNs + timeoutNs < nowNs;
  }
}
