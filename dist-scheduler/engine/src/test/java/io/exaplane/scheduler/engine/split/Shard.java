// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.decision.ClaimEffects;
import io.exaplane.scheduler.engine.decision.Prospects;
import io.exaplane.scheduler.engine.decision.Rescuer;
import io.exaplane.scheduler.engine.explain.FitMessage;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Elsewhere;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PartialSums;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.SumKey;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.placement.LocalNodes;
import io.exaplane.scheduler.engine.placement.PartialScores;
import io.exaplane.scheduler.engine.plugin.Crowd;
import io.exaplane.scheduler.engine.plugin.Extrema;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.preemption.Candidate;
import io.exaplane.scheduler.engine.preemption.DefaultPreemption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Some of a cluster's nodes. Its {@link Cluster} has these, the pods that are on them or wait for
 * them, and all objects of other kinds; of other nodes it knows what it is told. Whoever gives it a
 * node, or takes one away, does the same with the pods that are on it or wait for it. For one pod
 * it is asked, in this order: {@link #enlist}, {@link #hear}, {@link #survey}, and then {@link
 * #score} and {@link #best} if any node anywhere does, or {@link #rescue} if none does; {@link
 * #dismiss} ends it. For its cluster's thread.
 */
public final class Shard {
  private final Cluster cluster;
  private final Profile profile;
  private final boolean withReasons;
  private final Cycle cycle;
  private final DefaultPreemption preemption;
  private final Rescuer rescuer;
  private PlacedPod pod;

  /** What was known of it before its turn, or null. */
  private Pod before;

  private PartialScores part;
  private boolean judged;

  /**
   * Of the nodes that a cluster has.
   *
   * @param seed the same in all shards
   * @param withReasons whether it will be asked why nodes do not do: then every node is looked at
   *     for each pod
   */
  public Shard(Cluster cluster, Profile profile, long seed, boolean withReasons) {
    if (profile.schedulesGangs()) {
      throw new IllegalArgumentException(
          "profile %s enables GangScheduling: groups of pods cannot be decided about on several shards; disable the plugin"
              .formatted(profile.schedulerName()));
    }
    this.cluster = cluster;
    this.profile = profile;
    this.withReasons = withReasons;
    cycle = new Cycle(cluster, profile, seed);
    preemption = new DefaultPreemption(cluster, profile, cycle);
    rescuer = new Rescuer(cluster, profile, preemption, withReasons);
  }

  /** Whether a node is here. */
  boolean has(String node) {
    return cluster.nodeId(node) >= 0;
  }

  /** The node with this name, which is here. */
  Node node(String name) {
    return cluster.nodes().node(cluster.nodeId(name));
  }

  /** Changes whenever a node that is here does, or what is known of others. */
  long nodesVersion() {
    return cluster.nodesVersion();
  }

  /** What others have to know of the nodes that are here. */
  Inventory inventory(Collection<String> topologyKeys) {
    Map<String, Set<String>> values = new HashMap<>();
    topologyKeys.forEach(key -> values.put(key, cluster.topology(key).inhabited()));
    return new Inventory(cluster.nodesHere(), cluster.images().here(), values);
  }

  /** Takes which nodes others have. */
  void hear(Elsewhere.Nodes others) {
    cluster.putElsewhere(others);
  }

  /** What pods that were ever here want to be near to or far from. */
  Collection<PodSpec.Neighbours> wishes() {
    return cluster.wishes().all();
  }

  /** Takes what pods elsewhere want to be near to or far from. */
  void hear(Collection<PodSpec.Neighbours> wishes) {
    wishes.forEach(cluster::addNeighbours);
  }

  /**
   * A pod waits for its turn, and will be asked about.
   *
   * @throws IllegalStateException if it is on a node
   */
  void enlist(Pod waiting) {
    PlacedPod known = cluster.pod(waiting.key());
    if (known != null && !known.pod().nodeName().isEmpty()) {
      throw new IllegalStateException(
          "pod %s: it is on node %s already; pods are decided about while they wait"
              .formatted(waiting.key(), known.pod().nodeName()));
    }
    before = known == null ? null : known.pod();
    if (!waiting.equals(before)) {
      cluster.putPod(waiting);
    }
    pod = cluster.pod(waiting.key());
    part = null;
    judged = false;
  }

  /** The topology keys that matter to pods that were ever asked about, this one included. */
  Collection<String> topologyKeys() {
    cycle.sums(pod);
    return cluster.topologyKeys();
  }

  /** What is here that matters about the pod elsewhere. */
  Contribution contribution() {
    Map<SumKey, PartialSums> sums = new HashMap<>();
    for (DomainSums sum : cycle.sums(pod)) {
      sums.put(sum.key(), sum.part());
    }
    Map<String, Integer> users = new HashMap<>();
    for (Volume volume : pod.spec().volumes()) {
      if (volume.isClaim()) {
        String claim = pod.spec().namespace() + "/" + volume.id();
        users.put(claim, cluster.usersHere(claim));
      }
    }
    return new Contribution(sums, users);
  }

  /** Takes what is elsewhere that matters about the pod. */
  void hear(Contribution others) {
    cluster.putElsewhere(others.sums(), others.claimUsers());
  }

  /** Finds the nodes that do. */
  Survey survey() {
    part = withReasons ? null : cycle.choosePart(pod);
    if (part != null) {
      return new Survey(null, null, null, false, false, part.feasibleCount(), part.crowds());
    }
    judge();
    Judgement found = cycle.judgement();
    return new Survey(
        found.unsupported(),
        found.error(),
        found.rejection(),
        found.isGated(),
        found.nominatedDoes(),
        part.feasibleCount(),
        part.crowds());
  }

  private void judge() {
    part = cycle.judgePart(pod);
    judged = true;
  }

  /** Scores them, in view of all that do, here and elsewhere. */
  Map<String, Extrema> score(Map<String, Crowd> all) {
    return part.score(all);
  }

  /** The best of them by scores with these extrema, or null; without any, they are all alike. */
  Bid best(Map<String, Extrema> all) {
    int best = cycle.best(part, all);
    if (best < 0) {
      return null;
    }
    List<Grant> grants = judged ? cycle.judgement().grants(best) : List.of();
    return new Bid(name(best), cycle.score(), cycle.tieBreak().hash(best), grants);
  }

  /** Looks for what can be done for the pod, which found no node anywhere. */
  Offer rescue() {
    LocalNodes nodes = judged || hasVolumes() ? null : cycle.localNodes(pod);
    if (nodes != null) {
      boolean mayPreempt = profile.preempts() && cluster.hasPodsBelow(pod.spec().priority());
      Candidate room = mayPreempt ? preemption.best(pod, nodes) : null;
      return new Offer(Map.of(), Offer.NONE, room(room));
    }
    if (!judged) {
      judge();
    }
    Judgement found = cycle.judgement();
    Prospects prospects = rescuer.prospects(pod, found);
    Map<String, Integer> reasons = withReasons ? FitMessage.reasons(cluster, found) : Map.of();
    return Offer.of(reasons, prospects, room(prospects.room()));
  }

  private boolean hasVolumes() {
    return !pod.spec().volumes().isEmpty();
  }

  private Room room(Candidate candidate) {
    if (candidate == null) {
      return null;
    }
    List<String> victims = candidate.victims().stream().map(v -> v.pod().key()).toList();
    long hash = cycle.tieBreak().hash(candidate.node());
    return new Room(name(candidate.node()), candidate.cost(), hash, victims);
  }

  private String name(int node) {
    return cluster.nodes().node(node).name();
  }

  /** The turn of the pod that was enlisted, if one was, is over: all is as it was before. */
  void dismiss() {
    if (pod != null) {
      if (before == null) {
        cluster.removePod(pod.pod().key());
      } else if (!before.equals(pod.pod())) {
        cluster.putPod(before);
      }
    }
    pod = null;
    part = null;
  }

  /** Takes where a pod is, or waits to be, now; nothing is kept of one that is elsewhere. */
  void put(Pod now) {
    boolean isHere = has(now.nodeName().isEmpty() ? now.nominatedNode() : now.nodeName());
    PlacedPod known = cluster.pod(now.key());
    if (!isHere) {
      cluster.removePod(now.key());
    } else if (known == null || !known.pod().equals(now)) {
      cluster.putPod(now);
    }
  }

  /** A pod goes to a node, perhaps elsewhere, and what its claims are given is known. */
  void bind(Pod going, Node node, List<Grant> grants) {
    VolumeBinding.plan(going.spec(), node, cluster.volumes()).keep(cluster.volumes());
    ClaimEffects.given(going, grants, cluster.devices());
    put(going.on(node.name()));
  }

  /** A claim gives up its devices. */
  void give(ResourceClaim up) {
    ClaimEffects.givenUp(up, cluster.devices());
  }

  /** A pod is gone, if it was here. */
  void remove(String key) {
    cluster.removePod(key);
  }

  /**
   * Those that wait for a node, which is here, and are less important than a pod, wait for none
   * from now on.
   *
   * @return as they are now; nothing is kept of them
   */
  List<Pod> clearNominations(String node, int below) {
    List<Pod> cleared = new ArrayList<>();
    for (PlacedPod other : List.copyOf(cluster.nominated(cluster.nodeId(node)))) {
      if (other.spec().priority() < below) {
        cluster.removePod(other.pod().key());
        cleared.add(other.pod().nominatedTo(""));
      }
    }
    return cleared;
  }
}
