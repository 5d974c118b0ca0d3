// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.restart.RestartRequest;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;

/** Whether a store runs what this operator has. Pure. */
public final class UpToDateCondition {
  private UpToDateCondition() {}

  /**
   * From what was seen.
   *
   * @param newest the image that this operator has for the store
   */
  public static Verdict of(StoreShard shard, Optional<StatefulSet> set, String newest) {
    return set.map(RestartRequest::image)
        .filter(image -> !image.equals(newest))
        .map(
            image ->
                Verdict.no(
                    Reason.OperatorUpdatePending,
                    "The store runs %s, but this operator has %s. See OperatorUpdatePending. To replace the pod, set %s to the bundle that this condition names. The data remains, and the store takes no writes for some seconds."
                        .formatted(image, newest, field(shard))))
        .orElseGet(() -> Verdict.yes(Reason.AsExpected, "The store runs this operator's image."));
  }

  private static String field(StoreShard shard) {
    return StoreNames.controlPlaneUid(shard).isPresent()
        ? "spec.rollout.bundle of the ControlPlane"
        : "spec.rollout.bundle";
  }
}
