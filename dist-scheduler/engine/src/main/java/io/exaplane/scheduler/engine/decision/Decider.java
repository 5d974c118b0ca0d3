// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.explain.FitMessage;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.engine.placement.Candidates;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.placement.LocalNodes;
import io.exaplane.scheduler.engine.placement.Regret;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.preemption.Candidate;
import io.exaplane.scheduler.engine.preemption.DefaultPreemption;
import io.exaplane.scheduler.engine.preemption.GroupPreemption;
import io.exaplane.scheduler.engine.queue.PrioritySort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides what becomes of the pods of a cluster that wait, and lets decisions come true in the
 * cluster: each against the cluster as it is, or one after another, every one seeing what became of
 * those before it. Why is said in words only where reasons are wanted. It knows no API server. For
 * its cluster's thread.
 *
 * <p>Longer than others: it is the order of all turns, the ways to decide about a pod or a group
 * with and without reasons, and what comes of decisions.
 */
public final class Decider {
  /** What decides about the pods of one scheduler. */
  private record Seat(
      Profile profile,
      Cycle cycle,
      DefaultPreemption preemption,
      Rescuer rescuer,
      GroupPreemption groupPreemption,
      Set<PodClass> hopeless) {
    /** Whether groups are what they are from 1.37 on. */
    boolean schedulesWorkloads() {
      return profile.schedulesGangs() && profile.version().atLeast(Version.V1_37);
    }
  }

  private final Cluster cluster;
  private final boolean withReasons;
  private final Map<String, Seat> seats = new HashMap<>();
  private final Seat forAll;
  private ClusterState hopelessAt;

  /**
   * Of one scheduler that decides about all pods.
   *
   * @param withReasons whether decisions come with what they rest on: then every node is looked at
   *     for each pod
   */
  public Decider(Cluster cluster, Profile profile, long seed, boolean withReasons) {
    this.cluster = cluster;
    this.withReasons = withReasons;
    forAll = seat(profile, seed);
  }

  /** Of schedulers that decide about the pods that name them; about others nobody does. */
  public Decider(Cluster cluster, List<Profile> profiles, long seed, boolean withReasons) {
    this.cluster = cluster;
    this.withReasons = withReasons;
    forAll = null;
    profiles.forEach(profile -> seats.put(profile.schedulerName(), seat(profile, seed)));
    cluster.groups().countOnly(seats.keySet());
    forgetNominationsOfOthers();
  }

  /** A scheduler keeps no place for pods of which it is not in charge. */
  private void forgetNominationsOfOthers() {
    for (PlacedPod pod : List.copyOf(cluster.pods())) {
      boolean waits = pod.pod().nodeName().isEmpty() && !pod.pod().nominatedNode().isEmpty();
      if (waits && seatOf(pod) == null) {
        cluster.nominate(pod, "");
      }
    }
  }

  private Seat seat(Profile profile, long seed) {
    Cycle cycle = new Cycle(cluster, profile, seed);
    DefaultPreemption preemption = new DefaultPreemption(cluster, profile, cycle);
    Rescuer rescuer = new Rescuer(cluster, profile, preemption, withReasons);
    GroupPreemption ofGroups = profile.preempts() ? new GroupPreemption(cluster, cycle) : null;
    return new Seat(profile, cycle, preemption, rescuer, ofGroups, new HashSet<>());
  }

  private Seat seatOf(PlacedPod pod) {
    return forAll != null ? forAll : seats.get(pod.spec().schedulerName());
  }

  /**
   * The pods that wait, in the order in which they are decided about. Those that are being deleted
   * are not.
   */
  public List<PlacedPod> waiting() {
    List<PlacedPod> waiting = new ArrayList<>();
    for (PlacedPod pod : cluster.pods()) {
      boolean waits = pod.pod().nodeName().isEmpty() && !pod.pod().finished();
      if (waits && !pod.spec().terminating() && seatOf(pod) != null) {
        waiting.add(pod);
      }
    }
    waiting.sort(new PrioritySort());
    return waiting;
  }

  /** Judges every pod that waits, or group of pods, against the cluster as it is. */
  public void judgeEach(Consumer<Decision> decisions) {
    eachTurn(turn -> decide(turn, decisions));
  }

  /** Puts the pods that wait onto nodes, in queue order; victims of preemption go at once. */
  public void placeAll(Consumer<Decision> decisions) {
    eachTurn(turn -> decide(turn, decisions).forEach(this::apply));
  }

  /** Passes those that wait, one turn after another; what keeps pods from theirs is asked then. */
  public void eachTurn(Consumer<Turn> turns) {
    List<PlacedPod> waiting = waiting();
    waiting.sort(new GroupOrder(cluster, this::isOfWorkload));
    Map<String, List<PlacedPod>> groups = new HashMap<>();
    waiting.stream()
        .filter(this::isGrouped)
        .forEach(
            pod -> groups.computeIfAbsent(pod.pod().groupKey(), g -> new ArrayList<>()).add(pod));
    Set<PlacedPod> done = new HashSet<>();
    for (PlacedPod pod : waiting) {
      if (done.contains(pod)) {
        continue;
      }
      List<PlacedPod> together = List.of();
      if (isOfWorkload(pod)) {
        together =
            groups.get(pod.pod().groupKey()).stream()
                .filter(this::isOfWorkload)
                .sorted(GroupOrder.OF_MEMBERS)
                .toList();
      } else if (isGrouped(pod) && seatOf(pod).cycle().admits(pod)) {
        together =
            groups.get(pod.pod().groupKey()).stream()
                .filter(member -> !done.contains(member) && seatOf(member).cycle().admits(member))
                .toList();
      }
      done.addAll(together);
      turns.accept(together.isEmpty() ? new Turn(List.of(pod), false) : new Turn(together, true));
    }
  }

  /** Whether a pod is decided about with a group that is there, as from 1.37 on. */
  private boolean isOfWorkload(PlacedPod pod) {
    return isGrouped(pod)
        && seatOf(pod).schedulesWorkloads()
        && cluster.groups().of(pod.pod()) != null;
  }

  private boolean isGrouped(PlacedPod pod) {
    return !pod.pod().group().isEmpty() && seatOf(pod).profile().schedulesGangs();
  }

  private List<Decision> decide(Turn turn, Consumer<Decision> decisions) {
    if (turn.grouped()) {
      return decideTogether(turn.pods(), member -> decisions.accept(member.outcome()));
    }
    Decision decision = decide(turn.pods().getFirst());
    decisions.accept(decision);
    return List.of(decision);
  }

  /** What becomes of the pods of a group; the cluster stays as it is. */
  public List<Decision> decideTogether(List<PlacedPod> pods, GroupObserver members) {
    boolean isGated =
        seatOf(pods.getFirst()).schedulesWorkloads()
            && pods.stream().anyMatch(pod -> !seatOf(pod).cycle().admits(pod));
    return isGated ? gated(pods, members) : decideInTurn(pods, members);
  }

  /** The same of pods whose turn it is, whatever kept them from it before or does again. */
  public List<Decision> decideInTurn(List<PlacedPod> pods, GroupObserver members) {
    PlacedPod first = pods.getFirst();
    Seat seat = seatOf(first);
    boolean workload = seat.schedulesWorkloads();
    String why =
        workload
            ? new GroupRules(cluster).broken(pods)
            : GroupRules.differentSchedulers(pods, pod -> seatOf(pod) != seat);
    if (why != null) {
      List<Decision> all =
          pods.stream().map(each -> Decision.stays(each, null, true, why)).toList();
      all.forEach(each -> members.accept(new GroupMember(each, "", each)));
      members.ended(GroupOutcome.failed(why));
      return all;
    }
    Cycle cycle = seat.cycle();
    cycle.askGates(false);
    try {
      return workload
          ? new WorkloadTurn(
                  cluster,
                  (pod, asksAll) -> decide(pod, false, asksAll),
                  seat.profile().givesDevicesUp(),
                  seat.groupPreemption(),
                  members)
              .decide(cluster.groups().of(first.pod()), pods, withReasons)
          : new GroupTurn(cluster, this::decide).decide(pods, withReasons, members);
    } finally {
      cycle.askGates(true);
    }
  }

  /** From 1.37 on, what keeps one pod of a group from its turn keeps them all. */
  private List<Decision> gated(List<PlacedPod> pods, Consumer<GroupMember> members) {
    List<Decision> all = new ArrayList<>();
    for (PlacedPod pod : pods) {
      Decision decision =
          seatOf(pod).cycle().admits(pod)
              ? Decision.stays(pod, null, false, GroupRules.OTHERS_ARE_GATED)
              : decide(pod);
      members.accept(new GroupMember(decision, "", decision));
      all.add(decision.withoutJudgement());
    }
    return all;
  }

  /** What becomes of a pod if nothing else happens; the cluster stays as it is. */
  public Decision decide(PlacedPod pod) {
    return decide(pod, true, withReasons);
  }

  /**
   * The same.
   *
   * @param rescues whether it matters what can be done for a pod that found no node
   * @param asksAll whether every node is asked
   */
  private Decision decide(PlacedPod pod, boolean rescues, boolean asksAll) {
    Seat seat = seatOf(pod);
    Cycle cycle = seat.cycle();
    int chosen = withReasons || asksAll ? Cycle.UNKNOWN : cycle.choose(pod);
    if (chosen >= 0) {
      return goes(pod, null, chosen, cycle.score());
    }
    // The priority of a group may be lower than those of its pods.
    boolean mayPreempt =
        seat.profile().preempts()
            && (seat.schedulesWorkloads() || cluster.hasPodsBelow(pod.spec().priority()));
    if (chosen != Cycle.UNKNOWN && rescues && !mayPreempt) {
      return Decision.stays(pod, null, false, "");
    }
    boolean asksSome = chosen != Cycle.UNKNOWN && rescues && !seat.schedulesWorkloads();
    LocalNodes nodes = asksSome ? cycle.localNodes(pod) : null;
    if (nodes != null) {
      return waitsFor(seat.preemption().best(pod, nodes), pod, null);
    }
    boolean alike = rescues && !withReasons && isLikeItsClass(pod);
    if (alike && isHopeless(seat, pod)) {
      return Decision.stays(pod, null, false, "");
    }
    double regret = judge(cycle, pod);
    Judgement judgement = cycle.judgement();
    int best = cycle.best();
    if (best >= 0) {
      return goes(pod, judgement, best, cycle.score()).withRegret(regret);
    }
    if (judgement.unsupported() != null) {
      return Decision.stays(pod, judgement, false, "not supported: " + judgement.unsupported());
    }
    if (judgement.error() != null) {
      return Decision.stays(pod, judgement, true, judgement.error());
    }
    if (judgement.isGated()) {
      return Decision.stays(pod, judgement, false, message(judgement, ""));
    }
    if (!rescues) {
      return Decision.stays(pod, judgement, cluster.nodeCount() == 0, message(judgement, ""));
    }
    Prospects found = seat.rescuer().prospects(pod, judgement);
    boolean hasRoom = found.room() != null;
    String room = hasRoom ? cluster.nodes().node(found.room().node()).name() : "";
    int victims = hasRoom ? found.room().victims().size() : 0;
    Rescue rescue = Rescue.of(seat.profile(), cluster.nodeCount(), found, room, victims);
    if (!hasRoom && alike) {
      seat.hopeless().add(pod.podClass());
    }
    String message = message(judgement, rescue.message());
    return waitsFor(found.room(), pod, judgement)
        .with(rescue.givenUp(), rescue.waitsNoMore(), message);
  }

  /** Whether {@link Candidates} tell where a pod goes; what waits for a node, for one, does not. */
  public boolean takesCandidates(PlacedPod pod) {
    return !withReasons && seatOf(pod).cycle().takesCandidates(pod);
  }

  /** Equal for pods for which the same {@link Candidates} tell where they go. */
  public Object alike(PlacedPod pod) {
    return seatOf(pod).cycle().alike(pod);
  }

  /**
   * What others said of all the nodes of this cluster, as it is now, about a pod's class.
   *
   * @param said null if they cannot tell
   */
  public Candidates candidates(PlacedPod pod, List<BestOfCell> said) {
    return seatOf(pod).cycle().candidates(pod, said);
  }

  /**
   * Whether and where a pod goes, by what others said; null if they do not tell. What can be done
   * for one that goes nowhere is left to {@link #decide(PlacedPod)}.
   */
  public Decision decide(PlacedPod pod, Candidates candidates) {
    int chosen = candidates.best();
    if (chosen == Cycle.UNKNOWN) {
      return null;
    }
    return chosen < 0
        ? Decision.stays(pod, null, false, "")
        : goes(pod, null, chosen, candidates.score());
  }

  /** What others would have been worth is of interest only together with reasons. */
  private double judge(Cycle cycle, PlacedPod pod) {
    String nominated = pod.pod().nominatedNode();
    int node = withReasons && !nominated.isEmpty() ? cluster.nodeId(nominated) : -1;
    if (node >= 0) {
      return Regret.judge(cycle, pod, node);
    }
    cycle.judge(pod);
    return 0;
  }

  private String message(Judgement judgement, String afterwards) {
    return withReasons
        ? FitMessage.of(
            cluster.nodeCount(),
            judgement.rejection(),
            FitMessage.reasons(cluster, judgement),
            afterwards)
        : "";
  }

  /** Whether what is decided about a pod depends on nothing but its class. */
  static boolean isLikeItsClass(PlacedPod pod) {
    return pod.pod().nominatedNode().isEmpty()
        && pod.spec().claims().isEmpty()
        && pod.spec().containerDevices().isEmpty();
  }

  /** Whether a pod of the class found nothing, and nothing has changed since. */
  private boolean isHopeless(Seat seat, PlacedPod pod) {
    ClusterState now = ClusterState.of(cluster);
    if (!now.equals(hopelessAt)) {
      hopelessAt = now;
      seats.values().forEach(other -> other.hopeless().clear());
      seat.hopeless().clear();
    }
    return seat.hopeless().contains(pod.podClass());
  }

  /** The plugins that refuse a pod for which {@link #decide} found no node, as the cluster is. */
  public Set<String> rejectors(PlacedPod pod) {
    return seatOf(pod).cycle().judge(pod).rejectors();
  }

  private Decision goes(PlacedPod pod, Judgement judgement, int node, long score) {
    List<Grant> grants = judgement == null ? List.of() : judgement.grants(node);
    return new Decision(
        pod, judgement, name(node), score, 0, "", List.of(), grants, null, false, "");
  }

  private Decision waitsFor(Candidate room, PlacedPod pod, Judgement judgement) {
    return room == null
        ? Decision.waitsFor("", pod, judgement, List.of())
        : Decision.waitsFor(name(room.node()), pod, judgement, room.victims());
  }

  private String name(int node) {
    return cluster.nodes().node(node).name();
  }

  /** Lets a decision come true. */
  public void apply(Decision decision) {
    if (!decision.node().isEmpty()) {
      int node = cluster.nodeId(decision.node());
      VolumeBinding.plan(decision.pod().spec(), cluster.nodes().node(node), cluster.volumes())
          .keep(cluster.volumes());
      ClaimEffects.given(decision.pod().pod(), decision.grants(), cluster.devices());
      cluster.bind(decision.pod(), node);
      return;
    }
    if (decision.givenUp() != null) {
      ClaimEffects.givenUp(decision.givenUp(), cluster.devices());
    }
    if (!decision.nominated().isEmpty()) {
      decision.victims().forEach(victim -> cluster.removePod(victim.pod().key()));
      if (!decision.victims().isEmpty() && !isOfWorkload(decision.pod())) {
        clearLowerNominations(decision);
      }
      cluster.nominate(decision.pod(), decision.nominated());
    } else if (decision.waitsNoMore()) {
      cluster.nominate(decision.pod(), "");
    }
  }

  /**
   * Who waited for the node and is less important waits for none now. kube-scheduler does not see
   * to that where others go for a group.
   */
  private void clearLowerNominations(Decision decision) {
    int node = cluster.nodeId(decision.nominated());
    for (PlacedPod other : List.copyOf(cluster.nominated(node))) {
      if (other.spec().priority() < decision.pod().spec().priority()) {
        cluster.nominate(other, "");
      }
    }
  }

  /** What a pod could preempt, for those who want to see more than the best. */
  public DefaultPreemption preemption(PlacedPod pod) {
    return seatOf(pod).preemption();
  }
}
