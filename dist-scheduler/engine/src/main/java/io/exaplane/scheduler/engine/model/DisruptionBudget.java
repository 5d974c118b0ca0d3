// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Set;

/**
 * A PodDisruptionBudget.
 *
 * @param disruptionsAllowed how many of its pods may go now
 * @param disrupted names of pods whose going is counted already
 */
public record DisruptionBudget(
    String namespace,
    String name,
    LabelSelector selector,
    int disruptionsAllowed,
    Set<String> disrupted) {
  /**
   * An empty selector matches nothing here. Source:
   * pkg/scheduler/framework/plugins/defaultpreemption.
   */
  public boolean covers(Pod pod) {
    PodSpec spec = pod.spec();
    return namespace.equals(spec.namespace())
        && spec.labels().size() > 0
        && !selector.isEmpty()
        && selector.matches(spec.labels())
        && !disrupted.contains(pod.name());
  }
}
