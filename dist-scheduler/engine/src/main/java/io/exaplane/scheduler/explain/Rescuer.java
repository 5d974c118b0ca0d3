// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.preemption.Candidate;
import io.exaplane.scheduler.preemption.DefaultPreemption;
import io.exaplane.scheduler.preemption.Misses;
import java.util.List;

/**
 * Looks for what can be done for pods that found no node (PostFilter): claims give devices up, then
 * others may have to go. For the cluster's thread. Source: pkg/scheduler/schedule_one.go,
 * schedulingAlgorithm; framework/runtime/framework.go, RunPostFilterPlugins;
 * framework/preemption/preemption.go, Preempt.
 */
final class Rescuer {
  private static final String PREEMPTION = "preemption: ";

  private final Cluster cluster;
  private final Profile profile;
  private final DefaultPreemption preemption;
  private final boolean withReasons;

  Rescuer(Cluster cluster, Profile profile, DefaultPreemption preemption, boolean withReasons) {
    this.cluster = cluster;
    this.profile = profile;
    this.preemption = preemption;
    this.withReasons = withReasons;
  }

  /** For the pod that was judged last. */
  Rescue rescue(PlacedPod pod, Judgement judgement) {
    if (cluster.nodeCount() == 0) {
      return Rescue.none(true, "");
    }
    if (!profile.givesDevicesUp() && !profile.preempts()) {
      return Rescue.none(profile.version().atLeast(Version.V1_35), "");
    }
    if (judgement.endsWithDevices()) {
      return Rescue.none(false, judgement.devicesSay());
    }
    List<ResourceClaim> idle = judgement.idleClaims();
    ResourceClaim givenUp = idle.isEmpty() ? null : idle.getFirst();
    String said = judgement.devicesSay() == null ? "" : judgement.devicesSay();
    return profile.preempts()
        ? preempt(pod, judgement, givenUp, said)
        : new Rescue(null, givenUp, false, said);
  }

  private Rescue preempt(
      PlacedPod pod, Judgement judgement, ResourceClaim givenUp, String saidBefore) {
    String before = saidBefore.isEmpty() ? PREEMPTION : saidBefore + ", " + PREEMPTION;
    String why = preemption.notEligible(pod, judgement);
    if (why != null) {
      return new Rescue(null, givenUp, false, before + why);
    }
    if (!withReasons && pod.pod().nominatedNode().isEmpty()) {
      boolean anyone = cluster.hasPodsBelow(pod.spec().priority());
      return new Rescue(anyone ? preemption.best(pod, judgement) : null, givenUp, false, "");
    }
    Misses misses = new Misses();
    Candidate room = preemption.best(preemption.candidates(pod, judgement, misses));
    if (room != null) {
      return new Rescue(room, givenUp, false, "");
    }
    return misses.error() != null
        ? new Rescue(null, givenUp, false, PREEMPTION + misses.error())
        : new Rescue(null, givenUp, true, before + FitMessage.noCandidates(cluster, misses));
  }
}
