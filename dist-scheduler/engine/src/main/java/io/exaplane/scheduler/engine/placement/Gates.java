// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.Status;
import java.util.List;

/** What keeps pods from having their turn (PreEnqueue). For its cluster's thread. */
public final class Gates {
  /** Who keeps pods with gates from being judged. */
  public static final String NAME = "SchedulingGates";

  private final Cluster cluster;
  private final Profile profile;

  Gates(Cluster cluster, Profile profile) {
    this.cluster = cluster;
    this.profile = profile;
  }

  /** Why nobody asks for a pod yet, or null. */
  Status of(PlacedPod pod, ClassPlan plan) {
    Status gate = ofPod(pod);
    if (gate == null) {
      gate = ofClaims(pod, plan);
    }
    return gate == null ? ofGroup(pod) : gate;
  }

  /** That the pod has gates. */
  Status ofPod(PlacedPod pod) {
    List<String> gates = pod.spec().schedulingGates();
    return profile.respectsGates() && !gates.isEmpty()
        ? Status.unresolvable(
            NAME, "waiting for scheduling gates: [" + String.join(" ", gates) + "]")
        : null;
  }

  /** That its claims are not there. */
  static Status ofClaims(PlacedPod pod, ClassPlan plan) {
    for (Filter filter : plan.filters) {
      Status status = filter.gate(pod.pod());
      if (status != null) {
        return status;
      }
    }
    return null;
  }

  /** That its group has too few pods. */
  Status ofGroup(PlacedPod pod) {
    return profile.schedulesGangs() ? GangScheduling.gate(pod.pod(), cluster.groups()) : null;
  }
}
