// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Quantity;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageCapacity;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prefers nodes with much room for the volumes that a pod's claims get there: of volumes that are
 * found, how much of them is asked for, otherwise, how much of what a driver has left. Source:
 * pkg/scheduler/framework/plugins/volumebinding, Score and scorer.go.
 */
final class VolumeScorer extends Scorer {
  private final PodSpec pod;
  private final Cluster cluster;
  private final List<ScoringStrategy.Point> shape;

  /** By storage class, what is asked for and what there is, in bytes. */
  private static final class Taken {
    private long requested;
    private long capacity;
  }

  VolumeScorer(PodSpec pod, Cluster cluster, List<ScoringStrategy.Point> shape) {
    super(VolumeBinding.NAME);
    this.pod = pod;
    this.cluster = cluster;
    this.shape = shape;
  }

  @Override
  public long score(int node) {
    VolumePlan plan = VolumeBinding.plan(pod, cluster.nodes().node(node), cluster.volumes());
    Map<String, Taken> classes = plan.found().isEmpty() ? toMake(node, plan) : found(plan);
    if (classes.isEmpty()) {
      return 0;
    }
    long sum = 0;
    for (Taken taken : classes.values()) {
      sum += ScoringStrategy.onShape(shape, taken.requested, taken.capacity);
    }
    return Math.round((double) sum / classes.size());
  }

  private static Map<String, Taken> found(VolumePlan plan) {
    Map<String, Taken> classes = new TreeMap<>();
    for (Map.Entry<PersistentVolume, Claim> entry : plan.found().entrySet()) {
      Taken taken = classes.computeIfAbsent(entry.getKey().storageClass(), name -> new Taken());
      taken.requested += bytes(entry.getValue());
      taken.capacity += Quantity.whole(entry.getKey().capacityBytes());
    }
    return classes;
  }

  private Map<String, Taken> toMake(int node, VolumePlan plan) {
    Volumes volumes = cluster.volumes();
    Map<String, Taken> classes = new TreeMap<>();
    for (Claim claim : plan.toMake()) {
      StorageClass storageClass = volumes.storageClass(claim.storageClass());
      StorageCapacity room =
          storageClass == null
              ? null
              : ClaimMatch.roomFor(claim, storageClass, cluster.nodes().node(node), volumes);
      if (room != null) {
        Taken taken = classes.computeIfAbsent(claim.storageClass(), name -> new Taken());
        taken.requested += bytes(claim);
        taken.capacity = room.roomBytes() == null ? 0 : room.roomBytes();
      }
    }
    return classes;
  }

  private static long bytes(Claim claim) {
    BigDecimal bytes = claim.requestBytes();
    return bytes == null ? 0 : Quantity.whole(bytes);
  }
}
