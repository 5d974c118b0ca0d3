// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.model.PodGroups;

/**
 * Lets the pods of a gang have their turn when there are enough of them, and be bound when enough
 * have found a node. Source: pkg/scheduler/framework/plugins/gangscheduling.
 */
public final class GangScheduling {
  public static final String NAME = "GangScheduling";

  /** What is said of pods that found a node while too few others of their gang did. */
  public static final String WAITS =
      "waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod";

  private GangScheduling() {}

  /** Why a pod may not have its turn yet, or null (PreEnqueue). */
  public static Status gate(Pod pod, PodGroups groups) {
    if (pod.group().isEmpty()) {
      return null;
    }
    PodGroup group = groups.of(pod);
    if (group == null) {
      return Status.unresolvable(
          NAME,
          "waiting for pods's pod group \"%s\" to appear in scheduling queue"
              .formatted(pod.group()));
    }
    return groups.size(pod) >= group.minCount()
        ? null
        : Status.unresolvable(
            NAME, "waiting for minCount pods from a gang to appear in scheduling queue");
  }

  /** Whether a pod may be bound once it is on a node: enough of its group are (Permit). */
  public static boolean permits(Pod pod, PodGroups groups) {
    PodGroup group = groups.of(pod);
    return group != null && groups.placed(pod) >= group.minCount();
  }
}
