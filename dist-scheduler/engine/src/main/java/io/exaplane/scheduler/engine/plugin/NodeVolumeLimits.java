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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps pods from nodes that take no more volumes of a CSI driver, and, from 1.37 on, from those
 * without a driver that has to be there. Of several such drivers kube-scheduler names any.
 */
public record NodeVolumeLimits(Version version) implements Plugin {
  private static final String NAME = "NodeVolumeLimits";
  private static final Status FULL = Status.unschedulable(NAME, "node(s) exceed max volume count");
  private static final int TOO_MANY = 1;

  /** With the position of the driver in {@link LimitFilter#absent} added. */
  private static final int NOT_INSTALLED = 2;

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

    /** Drivers that some node lacks. */
    private final List<String> absent = new ArrayList<>();

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
      boolean asksDrivers = version.atLeast(Version.V1_37);
      boolean limited = csi != null && !csi.limits().isEmpty();
      if (!limited && !asksDrivers) {
        return PASSES;
      }
      Map<String, String> added = new HashMap<>();
      collect(pod, csi, added);
      String missing = asksDrivers ? missing(added.values(), csi) : null;
      if (missing != null) {
        return NOT_INSTALLED + indexOf(missing);
      }
      if (added.isEmpty() || !limited) {
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
          return TOO_MANY;
        }
      }
      return PASSES;
    }

    /** The first of these drivers, by name, that has to be installed on a node and is not. */
    private String missing(Collection<String> drivers, CsiNode node) {
      for (String driver : new TreeSet<>(drivers)) {
        boolean installed = node != null && node.drivers().contains(driver);
        if (!installed && volumes.mustBeInstalled(driver)) {
          return driver;
        }
      }
      return null;
    }

    private int indexOf(String driver) {
      if (!absent.contains(driver)) {
        absent.add(driver);
      }
      return absent.indexOf(driver);
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
          String driver = Migration.driverOf(storageClass.provisioner());
          boolean own = driver.equals(storageClass.provisioner());
          put(own || node != null ? driver : "", TO_BE_MADE + claim.key(), found);
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

    /**
     * Here the drivers count as in charge on every node that says anything of CSI; up to 1.35
     * Portworx' only by its word.
     */
    private boolean isMigrated(Volume.Kind kind, CsiNode node) {
      boolean byWord = kind == Volume.Kind.PORTWORX && !version.atLeast(Version.V1_36);
      return node != null
          && Migration.driverOf(kind) != null
          && (!byWord || Migration.isOn(kind, node));
    }

    private static void put(String driver, String handle, Map<String, String> found) {
      if (!driver.isEmpty() && !handle.isEmpty()) {
        found.put(driver + "/" + handle, driver);
      }
    }

    @Override
    public Status explain(long verdict) {
      return verdict == TOO_MANY
          ? FULL
          : Status.unschedulable(
              NAME,
              absent.get((int) verdict - NOT_INSTALLED)
                  + " CSI driver is not installed on the node");
    }
  }
}
