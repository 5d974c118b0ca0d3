// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.CsiNode;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageCapacity;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.model.volume.VolumeAttachment;

/** What pods hope for whose volumes were in the way. */
final class VolumeHints {
  private VolumeHints() {}

  /** VolumeRestrictions, VolumeZone: a claim that the pod names. */
  static boolean ownClaim(Pod pod, Change change) {
    return isNamed(pod, change.after(Claim.class), false);
  }

  /** NodeVolumeLimits, VolumeBinding: likewise, or the claim of an ephemeral volume of the pod. */
  static boolean ownOrEphemeralClaim(Pod pod, Change change) {
    return isNamed(pod, change.after(Claim.class), true);
  }

  private static boolean isNamed(Pod pod, Claim claim, boolean ephemeral) {
    return pod.spec().namespace().equals(claim.namespace())
        && pod.spec().volumes().stream()
            .anyMatch(
                v ->
                    (v.kind() == Volume.Kind.CLAIM || (ephemeral && v.isClaim()))
                        && v.id().equals(claim.name()));
  }

  /** VolumeRestrictions: a pod of the namespace that used a disk or a claim of this one went. */
  static boolean freedDisk(Pod pod, Change change) {
    Pod gone = change.before(Pod.class);
    if (!gone.spec().namespace().equals(pod.spec().namespace())) {
      return false;
    }
    for (Volume ours : pod.spec().volumes()) {
      for (Volume theirs : gone.spec().volumes()) {
        boolean sameClaim =
            ours.kind() == Volume.Kind.CLAIM
                && theirs.kind() == Volume.Kind.CLAIM
                && ours.id().equals(theirs.id());
        if (sameClaim || ours.conflictsWith(theirs)) {
          return true;
        }
      }
    }
    return false;
  }

  /** NodeVolumeLimits: a node takes more volumes of some driver. */
  static boolean takesMore(Pod pod, Change change) {
    CsiNode before = change.before(CsiNode.class);
    return change.after(CsiNode.class).limits().entrySet().stream()
        .anyMatch(limit -> limit.getValue() > before.limits().getOrDefault(limit.getKey(), 0));
  }

  /** NodeVolumeLimits: a pod with volumes that count went. */
  static boolean freedVolume(Pod pod, Change change) {
    Pod gone = change.before(Pod.class);
    return !ResourceHints.tookNothing(gone)
        && gone.spec().volumes().stream()
            .anyMatch(v -> v.kind() != Volume.Kind.ISCSI && v.kind() != Volume.Kind.RBD);
  }

  /** NodeVolumeLimits: a volume was detached that might be of a driver of the pod's. */
  static boolean detached(Pod pod, Change change) {
    String driver = change.before(VolumeAttachment.class).attacher();
    return pod.spec().volumes().stream()
        .anyMatch(
            v -> v.kind() == Volume.Kind.CLAIM || driver.equals(Migration.driverOf(v.kind())));
  }

  /** VolumeBinding: volumes can be made where they could not. */
  static boolean reachesElsewhere(Pod pod, Change change) {
    StorageClass before = change.before(StorageClass.class);
    return before == null
        || !before.topologies().equals(change.after(StorageClass.class).topologies());
  }

  /** VolumeBinding: other drivers have taken over on a node. */
  static boolean migrated(Pod pod, Change change) {
    CsiNode before = change.before(CsiNode.class);
    return before == null || !before.migrated().equals(change.after(CsiNode.class).migrated());
  }

  /** VolumeBinding: there is room for larger volumes. */
  static boolean hasMoreRoom(Pod pod, Change change) {
    StorageCapacity before = change.before(StorageCapacity.class);
    Long limit = change.after(StorageCapacity.class).limitBytes();
    return before == null
        || (limit != null && (before.limitBytes() == null || limit > before.limitBytes()));
  }

  /** VolumeZone: a class whose volumes are made where their pods go. */
  static boolean waitsForConsumer(Pod pod, Change change) {
    return change.after(StorageClass.class).waitsForConsumer();
  }

  /** VolumeZone: a volume is elsewhere than it was. */
  static boolean movedZone(Pod pod, Change change) {
    PersistentVolume before = change.before(PersistentVolume.class);
    return before == null
        || !VolumeZone.placesOf(before)
            .equals(VolumeZone.placesOf(change.after(PersistentVolume.class)));
  }
}
