// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.CsiNode;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.model.volume.VolumeAttachment;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Keeps pods from nodes that take no more volumes of a CSI driver. */
public record NodeVolumeLimits(Version version) implements Plugin {
  private static final String NAME = "NodeVolumeLimits";
  private static final Status FULL = Status.unschedulable(NAME, "node(s) exceed max volume count");

  /** Volumes that are still to be made are told apart by their claims. */
  private static final String TO_BE_MADE = "to be made for ";

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
    boolean counts =
        pods.spec().volumes().stream()
            .anyMatch(v -> v.kind() != Volume.Kind.ISCSI && v.kind() != Volume.Kind.RBD);
    return counts ? new LimitFilter(pods.spec(), cluster, version) : null;
  }

  private static final class LimitFilter extends Filter {
    private final PodSpec pod;
    private final Cluster cluster;
    private final Volumes volumes;
    private final Version version;

    LimitFilter(PodSpec pod, Cluster cluster, Version version) {
      super(NAME);
      this.pod = pod;
      this.cluster = cluster;
      this.version = version;
      volumes = cluster.volumes();
    }

    @Override
    public long test(int node) {
      CsiNode csi = volumes.node(cluster.nodes().node(node).name());
      if (csi == null || csi.limits().isEmpty()) {
        return PASSES;
      }
      Map<String, String> added = new HashMap<>();
      collect(pod, csi, added);
      if (added.isEmpty()) {
        return PASSES;
      }
      Map<String, String> attached = new HashMap<>();
      PlacedPod other = cluster.nodes().firstPod(node);
      for (; other != null; other = other.next()) {
        collect(other.spec(), csi, attached);
      }
      added.keySet().removeAll(attached.keySet());
      Map<String, Integer> counts = new HashMap<>();
      attached.values().forEach(driver -> counts.merge(driver, 1, Integer::sum));
      countAttachments(csi.name(), attached.keySet(), counts);
      added.values().forEach(driver -> counts.merge(driver, 1, Integer::sum));
      for (String driver : new HashSet<>(added.values())) {
        Integer limit = csi.limits().get(driver);
        if (limit != null && counts.get(driver) > limit) {
          return 1;
        }
      }
      return PASSES;
    }

    /** Volumes that are attached though no pod on the node uses them. */
    private void countAttachments(String node, Set<String> known, Map<String, Integer> counts) {
      Set<String> seen = new HashSet<>();
      for (VolumeAttachment attachment : volumes.attachments(node)) {
        PersistentVolume volume = volumes.volume(attachment.volume());
        boolean csi = volume != null && volume.source() != null && volume.source().kind() == null;
        if (csi && !attachment.attacher().isEmpty()) {
          String name = attachment.attacher() + "/" + volume.source().handle();
          if (!known.contains(name) && seen.add(name)) {
            counts.merge(attachment.attacher(), 1, Integer::sum);
          }
        }
      }
    }

    /** The volumes of a pod by their names with their drivers, and these drivers. */
    private void collect(PodSpec user, CsiNode node, Map<String, String> found) {
      for (Volume volume : user.volumes()) {
        if (volume.isClaim()) {
          Claim claim = volumes.claim(user.namespace(), volume.id());
          if (claim != null) {
            collect(claim, node, found);
          }
        } else if (isMigrated(volume.kind(), node)) {
          put(
              Migration.driverOf(volume.kind()),
              Migration.handle(volume.kind(), volume.id(), null),
              found);
        }
      }
    }

    private void collect(Claim claim, CsiNode node, Map<String, String> found) {
      PersistentVolume volume = volumes.volume(claim.volumeName());
      if (volume == null) {
        StorageClass storageClass = volumes.storageClass(claim.storageClass());
        if (!claim.storageClass().isEmpty() && storageClass != null) {
          put(Migration.driverOf(storageClass.provisioner()), TO_BE_MADE + claim.key(), found);
        }
        return;
      }
      PersistentVolume.Source source = volume.source();
      if (source != null && source.kind() == null) {
        put(source.driver(), source.handle(), found);
      } else if (source != null && isMigrated(source.kind(), node)) {
        String handle = Migration.handle(source.kind(), source.handle(), volume);
        put(Migration.driverOf(source.kind()), handle, found);
      }
    }

    /** Here the drivers count as in charge everywhere; up to 1.35 Portworx' only by its word. */
    private boolean isMigrated(Volume.Kind kind, CsiNode node) {
      boolean byWord = kind == Volume.Kind.PORTWORX && !version.atLeast(Version.V1_36);
      return Migration.driverOf(kind) != null && (!byWord || Migration.isOn(kind, node));
    }

    private static void put(String driver, String handle, Map<String, String> found) {
      if (!driver.isEmpty() && !handle.isEmpty()) {
        found.put(driver + "/" + handle, driver);
      }
    }

    @Override
    public Status explain(long verdict) {
      return FULL;
    }
  }
}
