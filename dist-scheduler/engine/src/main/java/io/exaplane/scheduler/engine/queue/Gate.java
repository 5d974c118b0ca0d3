// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroups;
import io.exaplane.scheduler.engine.model.device.Devices;
import io.exaplane.scheduler.engine.plugin.DynamicResources;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import io.exaplane.scheduler.engine.plugin.PodClaims;
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

  /** Pods wait until their claims of devices are there. */
  public static Gate claims(Devices devices) {
    return new Gate(
        DynamicResources.NAME, pod -> PodClaims.of(pod.spec(), devices).problem() == null);
  }

  /** Pods of a gang wait until there are enough of them. */
  public static Gate gangs(PodGroups groups) {
    return new Gate(GangScheduling.NAME, pod -> GangScheduling.gate(pod, groups) == null);
  }
}
