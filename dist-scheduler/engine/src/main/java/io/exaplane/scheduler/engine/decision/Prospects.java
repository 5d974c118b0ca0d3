// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.preemption.Candidate;
import io.exaplane.scheduler.engine.preemption.Misses;
import java.util.List;

/**
 * What was found out about what can be done for a pod that found no node.
 *
 * @param endsWithDevices whether nothing else is tried after DynamicResources
 * @param devicesSay what DynamicResources does for it, in its words; empty if it is not asked
 * @param idleClaims of its claims, those that could give their devices up
 * @param notEligible why it may not take the place of others, or null
 * @param room where it can go if others do, or null
 * @param misses why nodes are no candidates; null if nobody asked
 */
public record Prospects(
    boolean endsWithDevices,
    String devicesSay,
    List<ResourceClaim> idleClaims,
    String notEligible,
    Candidate room,
    Misses misses) {}
