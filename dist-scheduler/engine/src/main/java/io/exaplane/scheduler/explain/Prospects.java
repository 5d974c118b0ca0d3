// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.preemption.Candidate;
import io.exaplane.scheduler.preemption.Misses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What was found out, on some nodes or all, about what can be done for a pod that found no node.
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
    Misses misses) {
  /** Nobody looked, or there are none. */
  public static final Prospects NONE = new Prospects(false, "", List.of(), null, null, null);

  /** The same, of which the room is told otherwise. */
  public Prospects withoutRoom() {
    return new Prospects(endsWithDevices, devicesSay, idleClaims, notEligible, null, misses);
  }

  /** Of these nodes and others; the room that there is has to be compared by who knows both. */
  public Prospects and(Prospects other) {
    List<ResourceClaim> idle = new ArrayList<>(idleClaims);
    other.idleClaims.stream().filter(claim -> !idle.contains(claim)).forEach(idle::add);
    idle.sort(Comparator.comparing(ResourceClaim::key));
    return new Prospects(
        endsWithDevices || other.endsWithDevices,
        idleClaims.isEmpty() ? other.devicesSay : devicesSay,
        idle,
        notEligible != null ? notEligible : other.notEligible,
        null,
        misses == null || other.misses == null ? null : misses.and(other.misses));
  }
}
