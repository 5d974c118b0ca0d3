// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.decision.Prospects;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a shard has for a pod that found no node anywhere.
 *
 * @param reasons by reason, how many nodes gave it; none if nobody asked
 * @param prospects what can be done for the pod
 * @param room where it can go if others do, or null
 */
public record Offer(Map<String, Integer> reasons, Prospects prospects, Room room) {
  /** Nobody looked, or there are none. */
  static final Prospects NONE = new Prospects(false, "", List.of(), null, null, null);

  /** Of some nodes, of which the room is told otherwise. */
  static Offer of(Map<String, Integer> reasons, Prospects found, Room room) {
    Prospects withoutRoom =
        new Prospects(
            found.endsWithDevices(),
            found.devicesSay(),
            found.idleClaims(),
            found.notEligible(),
            null,
            found.misses());
    return new Offer(reasons, withoutRoom, room);
  }

  /** Of these nodes and others. */
  public Offer and(Offer other) {
    Map<String, Integer> all = new TreeMap<>(reasons);
    other.reasons.forEach((reason, nodes) -> all.merge(reason, nodes, Integer::sum));
    boolean others = other.room != null && other.room.beats(room);
    return new Offer(all, and(prospects, other.prospects), others ? other.room : room);
  }

  /** The room that there is has to be compared by who knows both. */
  private static Prospects and(Prospects one, Prospects other) {
    List<ResourceClaim> idle = new ArrayList<>(one.idleClaims());
    other.idleClaims().stream().filter(claim -> !idle.contains(claim)).forEach(idle::add);
    idle.sort(Comparator.comparing(ResourceClaim::key));
    return new Prospects(
        one.endsWithDevices() || other.endsWithDevices(),
        one.idleClaims().isEmpty() ? other.devicesSay() : one.devicesSay(),
        idle,
        one.notEligible() != null ? one.notEligible() : other.notEligible(),
        null,
        one.misses() == null || other.misses() == null ? null : one.misses().and(other.misses()));
  }
}
