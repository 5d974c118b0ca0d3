// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.preemption.Candidate;
import io.exaplane.scheduler.engine.preemption.DefaultPreemption;
import io.exaplane.scheduler.engine.preemption.Misses;

/**
 * Looks, on the nodes that a cluster has, for what can be done for pods that found no node
 * (PostFilter): claims give devices up, then others may have to go. For the cluster's thread.
 * Source: pkg/scheduler/schedule_one.go, schedulingAlgorithm; framework/runtime/framework.go,
 * RunPostFilterPlugins; framework/preemption/preemption.go, Preempt.
 */
public final class Rescuer {
  private final Cluster cluster;
  private final Profile profile;
  private final DefaultPreemption preemption;
  private final boolean withReasons;

  /**
   * For the pods of one profile.
   *
   * @param withReasons whether it matters why nobody can make room
   */
  public Rescuer(
      Cluster cluster, Profile profile, DefaultPreemption preemption, boolean withReasons) {
    this.cluster = cluster;
    this.profile = profile;
    this.preemption = preemption;
    this.withReasons = withReasons;
  }

  /** For the pod that was judged last. */
  public Prospects prospects(PlacedPod pod, Judgement judgement) {
    String why = null;
    Candidate room = null;
    Misses misses = null;
    if (cluster.nodeCount() > 0 && profile.preempts() && !judgement.endsWithDevices()) {
      why = preemption.notEligible(pod, judgement);
      misses = withReasons || !pod.pod().nominatedNode().isEmpty() ? new Misses() : null;
      room = why == null ? room(pod, judgement, misses) : null;
    }
    String said = judgement.devicesSay() == null ? "" : judgement.devicesSay();
    return new Prospects(
        judgement.endsWithDevices(), said, judgement.idleClaims(), why, room, misses);
  }

  private Candidate room(PlacedPod pod, Judgement judgement, Misses misses) {
    if (misses != null) {
      return preemption.best(preemption.candidates(pod, judgement, misses));
    }
    boolean mayFind = profile.schedulesGangs() || cluster.hasPodsBelow(pod.spec().priority());
    return mayFind ? preemption.best(pod, judgement) : null;
  }
}
