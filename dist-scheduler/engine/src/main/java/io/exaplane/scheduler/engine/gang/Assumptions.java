// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.gang;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Pods that are put onto nodes so that others are decided about as if they were there, and taken
 * off again. For the cluster's thread. Source: pkg/scheduler/schedule_one_podgroup.go, which does
 * so in its snapshot.
 */
public final class Assumptions {
  private final Cluster cluster;
  private final Deque<Runnable> undo = new ArrayDeque<>();

  public Assumptions(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Puts a pod that waits onto a node.
   *
   * @param grants what its claims of devices are given there. Others that use these claims, too,
   *     are held to where the devices are; kube-scheduler does not see to that
   */
  public void assume(PlacedPod pod, int node, List<Grant> grants) {
    keep(pod, node, grants);
    Pod before = pod.pod();
    cluster.bind(pod, node);
    undo.push(() -> cluster.become(pod, before));
  }

  /**
   * The same while the pod goes on waiting for the node that it is nominated to: so kube-scheduler
   * takes pods of a group to be on nodes when it thinks about who has to go for the group.
   */
  public void assumeBeside(PlacedPod pod, int node, List<Grant> grants) {
    keep(pod, node, grants);
    PlacedPod like = cluster.placeLike(pod, node);
    undo.push(() -> cluster.unplace(like));
  }

  private void keep(PlacedPod pod, int node, List<Grant> grants) {
    VolumePlan plan = VolumeBinding.plan(pod.spec(), cluster.nodes().node(node), cluster.volumes());
    undo.push(plan.keep(cluster.volumes()));
    grants.forEach(this::give);
  }

  private void give(Grant grant) {
    Devices devices = cluster.devices();
    ResourceClaim claim = grant.claim();
    if (grant.isNew()) {
      devices.reserve(claim, grant.allocation());
      undo.push(() -> devices.release(claim.uid()));
    } else {
      devices.lend(claim, grant.allocation());
      undo.push(() -> devices.takeBack(claim));
    }
  }

  /** Takes them all off, the last one first. */
  public void revert() {
    while (!undo.isEmpty()) {
      undo.pop().run();
    }
  }
}
