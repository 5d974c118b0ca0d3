// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.placement.Cycle;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.plugin.VolumeBinding;
import io.exaplane.scheduler.preemption.Candidate;
import io.exaplane.scheduler.preemption.DefaultPreemption;
import io.exaplane.scheduler.queue.PrioritySort;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Decides about the pods of a cluster that wait, without any API server: each against the cluster
 * as it is, or one after another, every one seeing what became of those before it. For its
 * cluster's thread.
 */
public final class Simulation {
  private final Cluster cluster;
  private final Profile profile;
  private final boolean withReasons;
  private final Cycle cycle;
  private final DefaultPreemption preemption;

  /**
   * Over a cluster.
   *
   * @param withReasons whether decisions come with what they rest on: then every node is looked at
   *     for each pod
   */
  public Simulation(Cluster cluster, Profile profile, long seed, boolean withReasons) {
    this.cluster = cluster;
    this.profile = profile;
    this.withReasons = withReasons;
    cycle = new Cycle(cluster, profile, seed);
    preemption = new DefaultPreemption(cluster, cycle);
  }

  /**
   * The pods that wait, in the order in which they are decided about. Those that are being deleted
   * are not.
   */
  public List<PlacedPod> waiting() {
    List<PlacedPod> waiting = new ArrayList<>();
    for (PlacedPod pod : cluster.pods()) {
      if (pod.pod().nodeName().isEmpty() && !pod.pod().finished() && !pod.spec().terminating()) {
        waiting.add(pod);
      }
    }
    waiting.sort(new PrioritySort());
    return waiting;
  }

  /** Judges every pod that waits against the cluster as it is. */
  public void judgeEach(Consumer<Decision> decisions) {
    waiting().forEach(pod -> decisions.accept(decide(pod)));
  }

  /** Puts the pods that wait onto nodes, in queue order; victims of preemption go at once. */
  public void placeAll(Consumer<Decision> decisions) {
    for (PlacedPod pod : waiting()) {
      Decision decision = decide(pod);
      decisions.accept(decision);
      apply(decision);
    }
  }

  /** What becomes of a pod if nothing else happens; the cluster stays as it is. */
  public Decision decide(PlacedPod pod) {
    int chosen = withReasons ? Cycle.UNKNOWN : cycle.choose(pod);
    if (chosen >= 0) {
      return goes(pod, null, chosen);
    }
    if (chosen != Cycle.UNKNOWN && !mayPreempt(pod)) {
      return stays(pod, null, null, "");
    }
    Judgement judgement = cycle.judge(pod);
    int best = cycle.best();
    if (best >= 0) {
      return goes(pod, judgement, best);
    }
    if (judgement.unsupported() != null) {
      return stays(pod, judgement, null, "not supported: " + judgement.unsupported());
    }
    String message = withReasons ? FitMessage.of(cluster, judgement) : "";
    boolean tries = mayPreempt(pod) && preemption.notEligible(pod, judgement) == null;
    Candidate room = tries ? preemption.best(preemption.candidates(pod, judgement)) : null;
    return stays(pod, judgement, room, message);
  }

  private boolean mayPreempt(PlacedPod pod) {
    return profile.preemption() != null && cluster.hasPodsBelow(pod.spec().priority());
  }

  private Decision goes(PlacedPod pod, Judgement judgement, int node) {
    return new Decision(pod, judgement, name(node), cycle.score(), "", List.of(), "");
  }

  private Decision stays(PlacedPod pod, Judgement judgement, Candidate room, String message) {
    return room == null
        ? new Decision(pod, judgement, "", 0, "", List.of(), message)
        : new Decision(pod, judgement, "", 0, name(room.node()), room.victims(), message);
  }

  private String name(int node) {
    return cluster.nodes().node(node).name();
  }

  /** Lets a decision come true. */
  public void apply(Decision decision) {
    if (!decision.node().isEmpty()) {
      int node = cluster.nodeId(decision.node());
      VolumeBinding.reserve(decision.pod().spec(), cluster.nodes().node(node), cluster.volumes());
      cluster.bind(decision.pod(), node);
    } else if (!decision.nominated().isEmpty()) {
      decision.victims().forEach(victim -> cluster.removePod(victim.pod().key()));
      clearLowerNominations(decision);
      cluster.nominate(decision.pod(), decision.nominated());
    }
  }

  /** Who waited for the node and is less important waits for none now. */
  private void clearLowerNominations(Decision decision) {
    int node = cluster.nodeId(decision.nominated());
    for (PlacedPod other : List.copyOf(cluster.nominated(node))) {
      if (other.spec().priority() < decision.pod().spec().priority()) {
        cluster.nominate(other, "");
      }
    }
  }

  /** What a pod could preempt, for those who want to see more than the best. */
  public DefaultPreemption preemption() {
    return preemption;
  }
}
