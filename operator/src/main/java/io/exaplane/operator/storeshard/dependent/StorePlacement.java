// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.install.Installed;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Optional;

/**
 * How a store's pod is treated by scheduler and nodes: its priority, and how long it stays on a
 * node that is in trouble. Immutable.
 *
 * @param priorityClass null for none
 */
record StorePlacement(String priorityClass, List<Toleration> tolerations) {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  /** As the API server gives to pods that say nothing. */
  private static final long USUAL_SECONDS = 300;

  /**
   * Of a store.
   *
   * @param existing its StatefulSet as it is, if it is
   * @param hasClass whether the class of Critical stores is there
   */
  static StorePlacement of(StoreShard shard, Optional<StatefulSet> existing, boolean hasClass) {
    if (shard.getSpec().criticality() == Criticality.BestEffort) {
      return new StorePlacement(null, List.of());
    }
    return new StorePlacement(
        hasClass ? Installed.STORE_PRIORITY : null,
        StoreNames.isPersistent(shard, existing)
            ? List.of(tolerate(NOT_READY, USUAL_SECONDS), tolerate(UNREACHABLE, null))
            : List.of(tolerate(NOT_READY, null), tolerate(UNREACHABLE, null)));
  }

  private static Toleration tolerate(String taint, Long seconds) {
    return new TolerationBuilder()
        .withKey(taint)
        .withOperator("Exists")
        .withEffect("NoExecute")
        .withTolerationSeconds(seconds)
        .build();
  }
}
