// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.Pod;
import io.exaplane.scheduler.model.volume.Claim;
import io.exaplane.scheduler.plugin.VolumeBinding;
import io.exaplane.scheduler.plugin.VolumePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Who waits until the volumes of a pod are bound. For the cluster's thread. */
final class VolumeWaits {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What was written is told within this time. */
  private static final long TOLD_NS = TimeUnit.SECONDS.toNanos(10);

  private static final String NOTHING_WRONG = "";

  private static final class Wait {
    private final Pod pod;
    private final VolumePlan plan;
    private final CompletableFuture<String> ready;

    /** Since when a claim is not for the node any more; or 0. */
    private long givenUpSinceNs;

    Wait(Pod pod, VolumePlan plan, CompletableFuture<String> ready) {
      this.pod = pod;
      this.plan = plan;
      this.ready = ready;
    }
  }

  private final Cluster cluster;
  private final List<Wait> waits = new ArrayList<>();
  private long lastNs;

  VolumeWaits(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits for a pod.
   *
   * @param ready is done with nothing when they can be used on the node, or with what is wrong
   */
  void add(Pod pod, VolumePlan plan, CompletableFuture<String> ready) {
    waits.add(new Wait(pod, plan, ready));
  }

  /** Tells those whose wait is over; to be called again and again. */
  void look(long nowNs) {
    if (waits.isEmpty() || nowNs - lastNs < LOOK_NS) {
      return;
    }
    lastNs = nowNs;
    waits.removeIf(
        wait -> {
          String outcome = wait.ready.isDone() ? NOTHING_WRONG : outcome(wait, nowNs);
          return outcome != null && (wait.ready.isDone() || wait.ready.complete(outcome));
        });
  }

  /** Null while it goes on. */
  private String outcome(Wait wait, long nowNs) {
    PlacedPod known = cluster.pod(wait.pod.key());
    if (known == null || !known.pod().uid().equals(wait.pod.uid())) {
      return "the pod is gone";
    }
    int node = cluster.nodeId(wait.plan.node());
    if (node < 0) {
      return "node %s is gone".formatted(wait.plan.node());
    }
    return switch (VolumeBinding.progress(
        known.spec(), cluster.nodes().node(node), cluster.volumes())) {
      case READY -> NOTHING_WRONG;
      case UNUSABLE -> "a volume cannot be used on node " + wait.plan.node();
      case WAITING -> givenUp(wait, nowNs);
    };
  }

  /** Who makes volumes takes the node out of the claim where it cannot make one. */
  private String givenUp(Wait wait, long nowNs) {
    for (Claim claim : wait.plan.toMake()) {
      Claim now = cluster.volumes().claim(claim.namespace(), claim.name());
      if (now != null && !wait.plan.node().equals(now.selectedNode())) {
        wait.givenUpSinceNs = wait.givenUpSinceNs == 0 ? nowNs : wait.givenUpSinceNs;
        return nowNs - wait.givenUpSinceNs < TOLD_NS
            ? null
            : "no volume is made for %s on node %s".formatted(claim.key(), wait.plan.node());
      }
    }
    wait.givenUpSinceNs = 0;
    return null;
  }
}
