// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether the volume has the size, and the pod was replaced to use it. Other stores of a control
 * plane wait for that. Pure.
 */
public final class VolumeSizedCondition {
  private VolumeSizedCondition() {}

  /**
   * From what was seen of a store that was made smaller.
   *
   * @param before the condition as it was, if there was one
   */
  public static Verdict of(
      StoreShard shard, ClaimGrowth growth, Optional<Condition> before, Optional<StatefulSet> set) {
    boolean waits =
        growth.isMet()
            && before.filter(known -> !known.status().equals(Condition.TRUE)).isPresent()
            && set.filter(VolumeSizedCondition::isSettled).isEmpty();
    return waits
        ? Verdict.no(
            Reason.VolumeGrowing,
            growth.message(shard) + " The pod is replaced to use the volume." + Patience.NO_ACTION)
        : Verdict.of(growth.isMet(), growth.reason(), growth.message(shard));
  }

  /** Whether the pod is of the newest template, and ready. */
  private static boolean isSettled(StatefulSet set) {
    StatefulSetStatus status = set.getStatus();
    return status != null
        && Objects.equals(status.getObservedGeneration(), set.getMetadata().getGeneration())
        && Objects.equals(status.getCurrentRevision(), status.getUpdateRevision())
        && status.getReadyReplicas() != null
        && status.getReadyReplicas() > 0;
  }
}
