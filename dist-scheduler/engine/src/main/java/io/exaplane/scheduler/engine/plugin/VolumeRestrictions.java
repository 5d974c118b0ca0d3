// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.Volume;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps pods from nodes where a disk of theirs is in use already, and from all while another pod
 * has a claim of theirs that is for one pod only.
 */
public final class VolumeRestrictions implements Plugin {
  private static final String NAME = "VolumeRestrictions";
  private static final int DISK = 1;
  private static final int CLAIM = 2;
  private static final Status[] REFUSALS = {
    null,
    Status.unschedulable(NAME, "node(s) had no available disk"),
    Status.unschedulable(
        NAME,
        "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already"
            + " in-use by another pod")
  };

  private static boolean isClaim(Volume volume) {
    return volume.kind() == Volume.Kind.CLAIM;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isAboutVolumes() {
    return true;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    return pods.spec().volumes().isEmpty() ? null : new DiskFilter(pods.spec(), cluster);
  }

  private static final class DiskFilter extends Filter {
    private final Cluster cluster;
    private final NodeTable nodes;
    private final PodSpec pod;
    private final List<Volume> disks;
    private final Set<String> forOnePod = new HashSet<>();
    private int conflicts;

    DiskFilter(PodSpec pod, Cluster cluster) {
      super(NAME);
      this.pod = pod;
      this.cluster = cluster;
      nodes = cluster.nodes();
      disks = pod.volumes().stream().filter(volume -> volume.conflictsWith(alike(volume))).toList();
    }

    /** The same disk, written to: what of a volume another one could conflict with. */
    private static Volume alike(Volume volume) {
      return new Volume(volume.kind(), volume.name(), volume.id(), false, volume.parts());
    }

    @Override
    public PreFilter prepare() {
      forOnePod.clear();
      conflicts = 0;
      for (Volume volume : pod.volumes()) {
        if (isClaim(volume)) {
          Claim claim = cluster.volumes().claim(pod.namespace(), volume.id());
          if (claim == null) {
            return PreFilter.reject(ClaimStatus.notFound(NAME, volume.id()));
          }
          if (claim.accessModes().contains("ReadWriteOncePod")) {
            forOnePod.add(claim.name());
          }
        }
      }
      for (String claim : forOnePod) {
        conflicts += cluster.usersOf(pod.namespace(), claim) > 0 ? 1 : 0;
      }
      return disks.isEmpty() && conflicts == 0 ? PreFilter.SKIP : PreFilter.ALL_NODES;
    }

    @Override
    public long test(int node) {
      if (!disks.isEmpty() && hasConflict(node)) {
        return DISK;
      }
      return conflicts > 0 ? CLAIM : PASSES;
    }

    private boolean hasConflict(int node) {
      for (PlacedPod other = nodes.firstPod(node); other != null; other = other.next()) {
        for (Volume theirs : other.spec().volumes()) {
          for (Volume ours : disks) {
            if (ours.conflictsWith(theirs)) {
              return true;
            }
          }
        }
      }
      return false;
    }

    @Override
    public Status explain(long verdict) {
      return REFUSALS[(int) verdict];
    }

    /** kube-scheduler counts volumes here, and compares no namespaces. */
    @Override
    public void added(PodSpec other, int node) {
      conflicts += uses(other);
    }

    @Override
    public void removed(PodSpec other, int node) {
      conflicts -= uses(other);
    }

    private int uses(PodSpec other) {
      int uses = 0;
      for (Volume volume : other.volumes()) {
        uses += isClaim(volume) && forOnePod.contains(volume.id()) ? 1 : 0;
      }
      return uses;
    }
  }
}
