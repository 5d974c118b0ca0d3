// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of {@link PodNeeds} that is about volumes: claims, and the objects to which claims lead.
 */
final class StorageNeeds {
  private final GivenObjects given;
  private final Fields pod;
  private final String namespace;
  private final List<Assumption> found = new ArrayList<>();

  private StorageNeeds(Fields pod, GivenObjects given) {
    this.given = given;
    this.pod = pod;
    this.namespace = pod.child("metadata").string("namespace", "default");
  }

  /** What is assumed of a pod's volumes, in a fixed order. */
  static List<Assumption> of(Fields pod, GivenObjects given) {
    StorageNeeds needs = new StorageNeeds(pod, given);
    needs.volumes();
    return needs.found;
  }

  private void missing(String kind, String name, String taken) {
    found.add(Assumption.of(kind, name, taken));
  }

  private void volumes() {
    for (Fields volume : pod.child("spec").children("volumes")) {
      if (volume.has("persistentVolumeClaim")) {
        claim(
            volume.child("persistentVolumeClaim").string("claimName"), "the claim does not exist");
      } else if (volume.has("ephemeral")) {
        String name = pod.child("metadata").string("name") + "-" + volume.string("name");
        claim(name, "the claim of the ephemeral volume does not exist yet");
      }
    }
  }

  private void claim(String name, String absent) {
    String key = namespace + "/" + name;
    GivenObjects.Claim claim = given.claim(key);
    if (claim == null) {
      missing("PersistentVolumeClaim", key, absent);
      return;
    }
    if (!claim.volume().isEmpty()) {
      boundClaim(claim.volume());
    } else if (claim.storageClass() == null) {
      if (!given.hasDefaultClass()) {
        missing(
            "StorageClass",
            "marked as the default",
            "the claim " + key + " has no class, and binds only to volumes without a class");
      } else {
        found.add(
            new Assumption(
                "storageClassName of " + key,
                "the claim binds only to volumes without a class, since the default class was not "
                    + "written into the claim",
                "kubectl get persistentvolumeclaims -A -o yaml"));
      }
    } else if (!claim.storageClass().isEmpty()) {
      classOf(claim.storageClass());
    }
  }

  private void boundClaim(String volume) {
    if (!given.has("PersistentVolume", volume)) {
      missing("PersistentVolume", volume, "the volume does not exist");
    } else if (!given.driverOf(volume).isEmpty()) {
      limits(given.driverOf(volume));
    }
  }

  private void limits(String driver) {
    if (!given.hasAny("CSINode")) {
      missing("CSINode", "", "no node limits its volumes");
    } else if (!given.nodesWithoutCsi().isEmpty()) {
      String nodes = Assumptions.some(given.nodesWithoutCsi());
      missing("CSINode", nodes, "the nodes have no driver and do not limit their volumes");
    }
    if (given.countsAttachments(driver) && !given.hasAny("VolumeAttachment")) {
      missing("VolumeAttachment", "", "no node has volumes but those of its pods");
    }
  }

  private void classOf(String storageClass) {
    String provisioner = given.provisioner(storageClass);
    if (!given.has("StorageClass", storageClass)) {
      missing("StorageClass", storageClass, "the class does not exist");
    } else if (given.isLocal(storageClass)) {
      if (!given.hasAny("PersistentVolume")) {
        missing("PersistentVolume", "", "no volume exists for the claim");
      }
    } else if (!given.bindsAtOnce(storageClass)) {
      // A claim of the other classes has to be bound before, whatever else there is.
      if (!given.has("CSIDriver", provisioner)) {
        missing(
            "CSIDriver",
            provisioner,
            "the driver does not report its capacity, and has room everywhere");
      } else if (given.tellsCapacity(provisioner) && !given.hasAny("CSIStorageCapacity")) {
        missing("CSIStorageCapacity", "", "the driver has room nowhere");
      }
      limits(provisioner);
    }
  }
}
