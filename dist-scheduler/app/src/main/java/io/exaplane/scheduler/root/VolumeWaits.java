// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PodSpec;
import io.exaplane.scheduler.plugin.VolumeBinding;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Who waits until the volumes of a pod are bound. For the cluster's thread. */
final class VolumeWaits {
  private record Wait(PodSpec pod, String node, CompletableFuture<Boolean> ready) {}

  private final Cluster cluster;
  private final List<Wait> waits = new ArrayList<>();
  private long seen = -1;

  VolumeWaits(Cluster cluster) {
    this.cluster = cluster;
  }

  void add(PodSpec pod, String node, CompletableFuture<Boolean> ready) {
    waits.add(new Wait(pod, node, ready));
    seen = -1;
  }

  /** Tells those whose wait is over; to be called when anything may have changed. */
  void look() {
    if (waits.isEmpty() || seen == cluster.volumes().version()) {
      return;
    }
    seen = cluster.volumes().version();
    for (Iterator<Wait> all = waits.iterator(); all.hasNext(); ) {
      Wait wait = all.next();
      int node = cluster.nodeId(wait.node());
      VolumeBinding.Progress progress =
          wait.ready().isDone() || node < 0
              ? VolumeBinding.Progress.UNUSABLE
              : VolumeBinding.progress(wait.pod(), cluster.nodes().node(node), cluster.volumes());
      if (progress != VolumeBinding.Progress.WAITING) {
        wait.ready().complete(progress == VolumeBinding.Progress.READY);
        all.remove();
      }
    }
  }
}
