// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.volume.Claim;
import io.exaplane.scheduler.model.volume.PersistentVolume;
import io.exaplane.scheduler.model.volume.Volumes;
import java.util.List;
import java.util.Map;

/**
 * What becomes of the claims of a pod that wait for its node.
 *
 * @param node where it goes
 * @param found volumes, as they were, and the claims that they are to be bound to
 * @param toMake claims, as they were, whose volumes are to be made for the node
 */
public record VolumePlan(String node, Map<PersistentVolume, Claim> found, List<Claim> toMake) {
  /** Nothing waits. */
  public static final VolumePlan NONE = new VolumePlan("", Map.of(), List.of());

  public boolean isEmpty() {
    return found.isEmpty() && toMake.isEmpty();
  }

  /** Keeps all that for the pod, so that pods after it do not get the same. */
  public void keep(Volumes volumes) {
    found.forEach((volume, claim) -> volumes.putVolume(volume.keptFor(claim)));
    toMake.forEach(claim -> volumes.putClaim(claim.selectedFor(node)));
  }

  /** Keeps it no more; what somebody told of since stays as it is. */
  public void release(Volumes volumes) {
    found.forEach(
        (volume, claim) -> {
          if (volume.keptFor(claim).equals(volumes.volume(volume.name()))) {
            volumes.putVolume(volume);
          }
        });
    for (Claim claim : toMake) {
      if (claim.selectedFor(node).equals(volumes.claim(claim.namespace(), claim.name()))) {
        volumes.putClaim(claim);
      }
    }
  }
}
