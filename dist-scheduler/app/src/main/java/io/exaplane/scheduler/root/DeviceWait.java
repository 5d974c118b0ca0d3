// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.ClaimPlan;
import io.exaplane.scheduler.engine.device.Readiness;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a pod whose claims are written have to get ready. For the cluster's thread.
 * Source: dynamicresources.go, isPodReadyForBinding.
 */
final class DeviceWait implements Waits.Awaited {
  private static final String TIMEOUT = "device binding timeout";

  private final Cluster cluster;
  private final List<ResourceClaim> planned = new ArrayList<>();
  private final ResourceClaim made;
  private final long timeoutNs;
  private boolean madeIsTold;
  private long sinceNs = Fields.NO_TIME;

  /**
   * For what was written.
   *
   * @param made for extended resources, or null
   * @param timeoutNs so long a claim may take from when it was given devices
   */
  DeviceWait(Cluster cluster, ClaimPlan plan, ResourceClaim made, long timeoutNs) {
    this.cluster = cluster;
    this.made = made;
    this.timeoutNs = timeoutNs;
    planned.addAll(plan.unready());
    plan.grants().forEach(grant -> planned.add(grant.isNew() ? made : grant.claim()));
  }

  @Override
  public String outcome(PlacedPod pod, long nowNs) {
    sinceNs = sinceNs == Fields.NO_TIME ? nowNs : sinceNs;
    boolean ready = true;
    for (ResourceClaim each : planned) {
      ResourceClaim claim = now(each);
      if (claim == null && (each != made || madeIsTold)) {
        return "claim %s does not exist any more".formatted(each.key());
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

  /** Null if it is not there, or another one is. */
  private ResourceClaim now(ResourceClaim planned) {
    ResourceClaim claim = cluster.devices().claim(planned.namespace(), planned.name());
    boolean isIt = claim != null && claim.uid().equals(planned.uid());
    madeIsTold |= isIt && planned == made;
    return isIt ? claim : null;
  }

  private static long givenNs(ResourceClaim claim) {
    return claim == null || !claim.isAllocated() ? Fields.NO_TIME : claim.allocation().sinceNs();
  }

  private boolean isTooLate(long fromNs, long nowNs) {
    return fromNs != Fields.NO_TIME && fromNs + timeoutNs < nowNs;
  }
}
