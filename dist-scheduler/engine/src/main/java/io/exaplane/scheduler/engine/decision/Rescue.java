// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.explain.FitMessage;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.List;

/**
 * What is done for a pod that found no node, beside letting others go.
 *
 * @param givenUp a claim of its own that gives its devices up, or null
 * @param waitsNoMore whether it waits for no node any more
 * @param message in words, as the event FailedScheduling has them
 */
public record Rescue(ResourceClaim givenUp, boolean waitsNoMore, String message) {
  private static final String PREEMPTION = "preemption: ";
  private static final String ROOM = PREEMPTION + "found a potential placement for pod on node ";
  private static final String VICTIMS = ", preempting %d victims";

  /**
   * What comes of the prospects on all nodes.
   *
   * @param nodes how many nodes there are
   * @param room where it can go if others do, by name, or empty
   * @param victims how many these are
   */
  public static Rescue of(Profile profile, int nodes, Prospects found, String room, int victims) {
    if (nodes == 0) {
      return new Rescue(null, true, "");
    }
    if (!profile.givesDevicesUp() && !profile.preempts()) {
      return new Rescue(null, profile.version().atLeast(Version.V1_35), "");
    }
    if (found.endsWithDevices()) {
      return new Rescue(null, false, found.devicesSay());
    }
    List<ResourceClaim> idle = found.idleClaims();
    ResourceClaim givenUp = idle.isEmpty() ? null : idle.getFirst();
    String said = found.devicesSay();
    String before = said.isEmpty() ? PREEMPTION : said + ", " + PREEMPTION;
    if (!profile.preempts()) {
      return new Rescue(givenUp, false, said);
    }
    if (found.notEligible() != null) {
      return new Rescue(givenUp, false, before + found.notEligible());
    }
    if (!room.isEmpty()) {
      boolean told = profile.version().atLeast(Version.V1_37);
      return new Rescue(givenUp, false, told ? ROOM + room + VICTIMS.formatted(victims) : "");
    }
    if (found.misses() == null) {
      return new Rescue(givenUp, false, "");
    }
    return found.misses().error() != null
        ? new Rescue(givenUp, false, PREEMPTION + found.misses().error())
        : new Rescue(givenUp, true, before + FitMessage.noCandidates(nodes, found.misses()));
  }
}
