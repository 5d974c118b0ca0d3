// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Quantity;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageCapacity;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claims that wait for their pod's node, on one node: the smallest volume for each, or one that is
 * made. Source: pkg/scheduler/framework/plugins/volumebinding/binder.go;
 * component-helpers/storage/volume.
 */
final class ClaimMatch {
  static final long NOTHING_TO_BIND = 2;
  static final long NOT_ENOUGH = 4;

  private final Volumes volumes;
  private final Node node;
  private final List<PersistentVolume> candidates;
  private final Map<PersistentVolume, Claim> found = new HashMap<>();
  private final List<Claim> toMake = new ArrayList<>();
  private final boolean elsewhere;

  /**
   * Finds what it can.
   *
   * @param candidates the volumes that {@link #candidates} has for these claims
   */
  ClaimMatch(Volumes volumes, Node node, List<Claim> claims, List<PersistentVolume> candidates) {
    this.volumes = volumes;
    this.node = node;
    this.candidates = candidates;
    List<Claim> toFind = new ArrayList<>();
    boolean selectedElsewhere = false;
    for (Claim claim : claims) {
      if (claim.selectedNode() == null) {
        toFind.add(claim);
      } else if (claim.selectedNode().equals(node.name())) {
        toMake.add(claim);
      } else {
        selectedElsewhere = true;
      }
    }
    elsewhere = selectedElsewhere;
    if (!elsewhere) {
      find(toFind);
    }
  }

  /** The volumes of the claims' classes that are kept for one of them, or for nobody. */
  static List<PersistentVolume> candidates(Volumes volumes, List<Claim> claims) {
    Set<String> classes = new LinkedHashSet<>();
    claims.forEach(claim -> classes.add(claim.storageClass()));
    List<PersistentVolume> candidates = new ArrayList<>();
    for (String storageClass : classes) {
      for (PersistentVolume volume : volumes.volumesOf(storageClass)) {
        if (volume.claim() == null || claims.stream().anyMatch(volume.claim()::is)) {
          candidates.add(volume);
        }
      }
    }
    return candidates;
  }

  private void find(List<Claim> claims) {
    claims.sort(Comparator.comparing(ClaimMatch::bytes));
    for (Claim claim : claims) {
      PersistentVolume volume = volumeFor(claim);
      if (volume == null) {
        toMake.add(claim);
      } else {
        found.put(volume, claim);
      }
    }
  }

  private static BigDecimal bytes(Claim claim) {
    return claim.requestBytes() == null ? BigDecimal.ZERO : claim.requestBytes();
  }

  /** 0, or why not all claims get something. */
  long test() {
    if (elsewhere) {
      return NOTHING_TO_BIND;
    }
    for (Claim claim : toMake) {
      StorageClass storageClass = volumes.storageClass(claim.storageClass());
      if (storageClass == null
          || !storageClass.provisions()
          || !storageClass.reaches(node.labels())) {
        return NOTHING_TO_BIND;
      }
      if (!hasRoom(claim, storageClass)) {
        return NOT_ENOUGH;
      }
    }
    return 0;
  }

  /** What was found, and which claims have to have their volumes made. */
  VolumePlan plan() {
    return new VolumePlan(node.name(), Map.copyOf(found), List.copyOf(toMake));
  }

  /** A volume that is kept for the claim, or the smallest that does. */
  private PersistentVolume volumeFor(Claim claim) {
    PersistentVolume best = null;
    for (PersistentVolume volume : candidates) {
      if (!volume.storageClass().equals(claim.storageClass())) {
        continue;
      }
      boolean kept = volume.claim() != null && volume.claim().is(claim);
      if (found.containsKey(volume) || (volume.claim() != null && !kept) || !fits(volume, claim)) {
        continue;
      }
      boolean usable = volume.isUsableAt(node.labels());
      if (kept) {
        return usable ? volume : null;
      }
      boolean smaller = best == null || volume.capacityBytes().compareTo(best.capacityBytes()) < 0;
      if (usable && smaller && isFree(volume, claim)) {
        best = volume;
      }
    }
    return best;
  }

  private static boolean fits(PersistentVolume volume, Claim claim) {
    return volume.capacityBytes().compareTo(bytes(claim)) >= 0
        && volume.volumeMode().equals(claim.volumeMode())
        && volume.attributesClass().equals(claim.attributesClass())
        && !volume.terminating();
  }

  private static boolean isFree(PersistentVolume volume, Claim claim) {
    return volume.available()
        && (claim.selector() == null || claim.selector().matches(volume.labels()))
        && volume.accessModes().containsAll(claim.accessModes());
  }

  private boolean hasRoom(Claim claim, StorageClass storageClass) {
    return !needsRoom(claim, storageClass, volumes)
        || roomFor(claim, storageClass, node, volumes) != null;
  }

  private static boolean needsRoom(Claim claim, StorageClass storageClass, Volumes volumes) {
    return claim.requestBytes() != null && volumes.tellsCapacity(storageClass.provisioner());
  }

  /**
   * Where a claim's volume can be made for a node; null if its driver does not tell, or nowhere. Of
   * several, kube-scheduler takes any, and this the one with the most room.
   */
  static StorageCapacity roomFor(
      Claim claim, StorageClass storageClass, Node node, Volumes volumes) {
    if (!needsRoom(claim, storageClass, volumes)) {
      return null;
    }
    long wanted = Quantity.whole(claim.requestBytes());
    StorageCapacity best = null;
    for (StorageCapacity capacity : volumes.capacities()) {
      if (capacity.storageClass().equals(storageClass.name())
          && capacity.limitBytes() != null
          && capacity.limitBytes() >= wanted
          && capacity.nodes() != null
          && capacity.nodes().matches(node.labels())
          && (best == null || roomOf(best) < roomOf(capacity))) {
        best = capacity;
      }
    }
    return best;
  }

  private static long roomOf(StorageCapacity capacity) {
    return capacity.roomBytes() == null ? -1 : capacity.roomBytes();
  }
}
