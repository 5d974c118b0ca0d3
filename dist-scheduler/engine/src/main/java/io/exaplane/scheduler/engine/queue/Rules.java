// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.EventRegistrations;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.ArrayList;
import java.util.List;

/**
 * What a profile's plugins say about pods that wait.
 *
 * @param gates in the order in which they are asked
 * @param losesPatienceWithGates whether pods that a gate keeps from their turn are asked again,
 *     too, when nothing has happened for long, as from 1.37 on
 * @param grouping how pods of groups have their turns
 */
public record Rules(
    Hints hints, List<Gate> gates, boolean losesPatienceWithGates, Grouping grouping) {

  /** Those of the plugins of a profile. */
  public static Rules of(Profile profile, Cluster cluster) {
    return of(profile, cluster, new Hints(EventRegistrations.of(profile, cluster)));
  }

  /** The same with other hints. */
  public static Rules of(Profile profile, Cluster cluster, Hints hints) {
    List<Gate> gates = new ArrayList<>();
    if (profile.respectsGates()) {
      gates.add(Gate.SCHEDULING_GATES);
    }
    if (profile.findsDevices()) {
      gates.add(Gate.claims(cluster.devices()));
    }
    if (profile.schedulesGangs()) {
      gates.add(Gate.gangs(cluster.groups()));
    }
    boolean withGates = profile.version().atLeast(Version.V1_37);
    return new Rules(hints, gates, withGates, grouping(profile));
  }

  private static Grouping grouping(Profile profile) {
    if (!profile.schedulesGangs()) {
      return Grouping.NONE;
    }
    return profile.version().atLeast(Version.V1_37) ? Grouping.WHOLE : Grouping.PODS;
  }
}
