// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.concurrent.TimeUnit;

/** The volumes of a pod have to be bound. For the cluster's thread. */
final class VolumeWait implements Waits.Awaited {
  /** What was written is told within this time. */
  private static final long TOLD_NS = TimeUnit.SECONDS.toNanos(10);

  private final Cluster cluster;
  private final VolumePlan plan;

  /** Since when a claim is not for the node any more; or 0. */
  private long givenUpSinceNs;

  VolumeWait(Cluster cluster, VolumePlan plan) {
    this.cluster = cluster;
    this.plan = plan;
  }

  @Override
  public String outcome(PlacedPod pod, long nowNs) {
    int node = cluster.nodeId(plan.node());
    if (node < 0) {
      return "node %s does not exist any more".formatted(plan.node());
    }
    return switch (VolumeBinding.progress(
        pod.spec(), cluster.nodes().node(node), cluster.volumes())) {
      case READY -> Waits.NOTHING_WRONG;
      case UNUSABLE -> "a volume cannot be used on node " + plan.node();
      case WAITING -> givenUp(nowNs);
    };
  }

  /** Who makes volumes takes the node out of the claim where it cannot make one. */
  private String givenUp(long nowNs) {
    for (Claim claim : plan.toMake()) {
      Claim now = cluster.volumes().claim(claim.namespace(), claim.name());
      if (now != null && !plan.node().equals(now.selectedNode())) {
        givenUpSinceNs = givenUpSinceNs == 0 ? nowNs : givenUpSinceNs;
        return nowNs - givenUpSinceNs < TOLD_NS
            ? null
            : "no volume is being created for %s on node %s".formatted(claim.key(), plan.node());
      }
    }
    givenUpSinceNs = 0;
    return null;
  }
}
