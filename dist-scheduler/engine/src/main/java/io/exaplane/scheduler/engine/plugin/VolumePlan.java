// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.ArrayList;
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

  /**
   * Keeps all that for the pod, so that pods after it do not get the same; what is kept already for
   * another pod with the same claim is that one's to end.
   *
   * @return what ends that; of what somebody told otherwise since, or the same, that stays
   */
  public Runnable keep(Volumes volumes) {
    List<Runnable> releases = new ArrayList<>();
    found.forEach(
        (volume, claim) -> {
          if (volume.claim() != null && volume.claim().is(claim)) {
            return;
          }
          PersistentVolume kept = volume.keptFor(claim);
          volumes.putVolume(kept);
          releases.add(
              () -> {
                if (volumes.volume(volume.name()) == kept) {
                  volumes.putVolume(volume);
                }
              });
        });
    for (Claim claim : toMake) {
      if (node.equals(claim.selectedNode())) {
        continue;
      }
      Claim kept = claim.selectedFor(node);
      volumes.putClaim(kept);
      releases.add(
          () -> {
            if (volumes.claim(claim.namespace(), claim.name()) == kept) {
              volumes.putClaim(claim);
            }
          });
    }
    return () -> releases.forEach(Runnable::run);
  }
}
