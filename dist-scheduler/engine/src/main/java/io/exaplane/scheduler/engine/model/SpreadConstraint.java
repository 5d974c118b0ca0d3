// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.List;

/**
 * How evenly pods are spread over the domains of a topology key.
 *
 * @param hard DoNotSchedule; otherwise ScheduleAnyway
 * @param minDomains 1 if not given
 * @param honorsAffinity whether only nodes that the pod's node selector and affinity match are
 *     counted (nodeAffinityPolicy, Honor by default)
 * @param honorsTaints whether only nodes whose taints the pod tolerates are counted
 *     (nodeTaintsPolicy, Ignore by default)
 * @param matchLabelKeys labels of the pod itself whose values join the selector
 */
public record SpreadConstraint(
    int maxSkew,
    String topologyKey,
    boolean hard,
    LabelSelector selector,
    int minDomains,
    boolean honorsAffinity,
    boolean honorsTaints,
    List<String> matchLabelKeys) {}
