// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.Volume;

/** What several plugins say of claims. */
final class ClaimStatus {
  private ClaimStatus() {}

  static Status notFound(String plugin, String claim) {
    return Status.unresolvable(plugin, "persistentvolumeclaim \"%s\" not found".formatted(claim));
  }

  /** Whether the claim of an ephemeral volume was made for this very pod. */
  static boolean isOwned(Claim claim, Volume volume) {
    return volume.kind() != Volume.Kind.EPHEMERAL
        || claim.ownerUid().equals(volume.parts().getFirst());
  }

  static Status notOwned(String plugin, Claim claim, PodSpec pod, Volume volume) {
    return Status.unresolvable(
        plugin,
        "PVC %s was not created for pod %s/%s (pod is not owner)"
            .formatted(claim.key(), pod.namespace(), volume.parts().get(1)));
  }
}
