// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.storeshard.restart.RestartRequest;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;

/** The condition UpToDate of a store: whether it runs what this operator has. Pure. */
final class StoreUpToDate {
  private StoreUpToDate() {}

  static void set(
      ConditionSet conditions, StoreShard shard, Optional<StatefulSet> set, String newestImage) {
    Optional<String> older =
        set.map(RestartRequest::image).filter(image -> !image.equals(newestImage));
    conditions.set(
        StoreCondition.UpToDate,
        older.isEmpty(),
        older.isEmpty() ? Reason.AsExpected : Reason.OperatorUpdatePending,
        older
            .map(
                image ->
                    "The store runs %s, but this operator has %s. To replace the pod, set %s to the current time. The data remains, and the store takes no writes for some seconds."
                        .formatted(image, newestImage, field(shard)))
            .orElse("The store runs this operator's image."));
  }

  private static String field(StoreShard shard) {
    return StoreNames.controlPlaneUid(shard).isPresent()
        ? "spec.storage.restartedAt of the ControlPlane"
        : "spec.restartedAt";
  }
}
