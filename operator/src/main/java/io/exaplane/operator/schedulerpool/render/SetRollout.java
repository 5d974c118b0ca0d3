// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.util.Objects;

/** Reads how far a tier's StatefulSet is. Pure. */
public final class SetRollout {
  private SetRollout() {}

  /**
   * Whether every pod was replaced by one of the newest template that became ready; what became of
   * them since does not matter.
   */
  public static boolean isReplaced(StatefulSet set) {
    StatefulSetStatus status = set.getStatus();
    return status != null
        && Objects.equals(status.getObservedGeneration(), set.getMetadata().getGeneration())
        && Objects.equals(status.getCurrentRevision(), status.getUpdateRevision())
        && updated(set) == replicas(set);
  }

  /** Whether all replicas are of the newest template and ready. */
  public static boolean isComplete(StatefulSet set) {
    StatefulSetStatus status = set.getStatus();
    int desired = set.getSpec().getReplicas();
    return status != null
        && Objects.equals(status.getObservedGeneration(), set.getMetadata().getGeneration())
        && replicas(set) == desired
        && ready(set) == desired
        && updated(set) == desired;
  }

  /** Replicas that exist. */
  public static int replicas(StatefulSet set) {
    return set.getStatus() == null ? 0 : count(set.getStatus().getReplicas());
  }

  /** Ready replicas. */
  public static int ready(StatefulSet set) {
    return set.getStatus() == null ? 0 : count(set.getStatus().getReadyReplicas());
  }

  /** Replicas of the newest template. */
  public static int updated(StatefulSet set) {
    return set.getStatus() == null ? 0 : count(set.getStatus().getUpdatedReplicas());
  }

  private static int count(Integer value) {
    return value == null ? 0 : value;
  }
}
