// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.queue;

import io.exaplane.scheduler.model.Pod;
import java.util.function.Predicate;

/**
 * What keeps pods from their turn (PreEnqueue).
 *
 * @param plugin who does, as in events
 * @param admits whether a pod may have its turn
 */
public record Gate(String plugin, Predicate<Pod> admits) {
  /** Pods with scheduling gates wait until these are gone. */
  public static final Gate SCHEDULING_GATES =
      new Gate("SchedulingGates", pod -> pod.spec().schedulingGates().isEmpty());
}
