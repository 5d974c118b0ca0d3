// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.placement.LocalNodes;
import io.exaplane.scheduler.engine.placement.NodeTest;
import io.exaplane.scheduler.engine.plugin.CycleException;
import io.exaplane.scheduler.engine.plugin.NodeResourcesFit;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the node on which the least has to go for a pod that no node has room for. kube-scheduler
 * stops after a tenth of the nodes (at least a hundred); this looks at all of them. Source:
 * pkg/scheduler/framework/plugins/defaultpreemption. For its cluster's thread.
 */
public final class DefaultPreemption {
  private static final Comparator<PlacedPod> OLDER_FIRST =
      Comparator.<PlacedPod>comparingInt(pod -> pod.spec().priority())
          .reversed()
          .thenComparingLong(Candidate::startedNs);

  private static final List<String> NO_VICTIMS =
      List.of("No preemption victims found for incoming pod");

  /** Of so many it takes no index to find the best. */
  private static final int FEW_NODES = 32;

  private final Cluster cluster;
  private final Cycle cycle;
  private final boolean boundByResources;

  private final Budgets budgets;

  /** Null where groups of pods change nothing about who can be evicted. */
  private final Victims grouped;

  /**
   * Of pods that began in the same second, the one that came first is more important; until 1.36,
   * of those that have not begun, the one that came last. So kube-scheduler's sort leaves them,
   * unless there are more than twelve: then it is anyone's guess.
   */
  private final Comparator<PlacedPod> moreImportantFirst;

  /**
   * For the pods of one profile.
   *
   * @param cycle what judges them
   */
  public DefaultPreemption(Cluster cluster, Profile profile, Cycle cycle) {
    this.cluster = cluster;
    this.cycle = cycle;
    boolean inTurn = profile.version().atLeast(Version.V1_37);
    budgets = new Budgets(cluster, inTurn);
    grouped = inTurn && profile.schedulesGangs() ? new Victims(cluster) : null;
    moreImportantFirst =
        OLDER_FIRST.thenComparingLong(
            pod ->
                inTurn || pod.pod().startedNs() != Fields.NO_TIME ? pod.arrival() : -pod.arrival());
    boundByResources =
        profile.filters().stream().anyMatch(plugin -> plugin instanceof NodeResourcesFit);
  }

  /**
   * Why a pod may not take the place of others, or null if it may.
   *
   * @param judgement what the cycle found out about it
   */
  public String notEligible(PlacedPod pod, Judgement judgement) {
    if (!pod.spec().preempts()) {
      return "not eligible due to preemptionPolicy=Never.";
    }
    String nominated = pod.pod().nominatedNode();
    int node = nominated.isEmpty() ? -1 : cluster.nodeId(nominated);
    if (node < 0 || !judgement.isResolvable(node)) {
      return null;
    }
    for (PlacedPod other = cluster.nodes().firstPod(node); other != null; other = other.next()) {
      int priority = grouped == null ? other.spec().priority() : grouped.priorityOf(other);
      if (other.pod().preempted() && priority < pod.spec().priority()) {
        return "not eligible due to a terminating pod on the nominated node.";
      }
    }
    return null;
  }

  /**
   * Every node that would do if pods of lower priority went, with those that have to; in no order.
   *
   * @param misses is told of the others that might have, unless it is null
   */
  public List<Candidate> candidates(PlacedPod pod, Judgement judgement, Misses misses) {
    List<Candidate> candidates = new ArrayList<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (cluster.nodes().node(node) != null && judgement.isResolvable(node)) {
        Candidate candidate =
            grouped == null
                ? victimsOn(node, pod, cycle.nodeTest(), misses)
                : unitsOn(node, pod, cycle.nodeTest(), misses);
        if (candidate != null) {
          candidates.add(candidate);
        }
      }
    }
    return candidates;
  }

  /**
   * The candidate that costs least; of several the one that placement's tie-break takes. Null if
   * there is none.
   */
  public Candidate best(List<Candidate> candidates) {
    Candidate best = null;
    for (Candidate candidate : candidates) {
      int order = best == null ? -1 : candidate.cost().compareTo(best.cost());
      if (order < 0 || (order == 0 && cycle.tieBreak().prefers(candidate.node(), best.node()))) {
        best = candidate;
      }
    }
    return best;
  }

  /** All that cost as little as the best. */
  public List<Candidate> equallyGood(List<Candidate> candidates) {
    Candidate best = best(candidates);
    return candidates.stream().filter(candidate -> candidate.cost().equals(best.cost())).toList();
  }

  /**
   * The best of all candidates, or null, of a pod that waits for no node and about which nothing
   * but a node and its pods decides. What was found out for one pod of the class is kept for the
   * next.
   */
  public Candidate best(PlacedPod pod, LocalNodes nodes) {
    if (!pod.spec().preempts()) {
      return null;
    }
    CostIndex index = nodes.keep(CostIndex.class, () -> indexOf(pod, nodes.possible()));
    return index.best(node -> victimsOn(node, pod, nodes.test(), null));
  }

  /** The best of all candidates of the pod that was judged last, or null. */
  public Candidate best(PlacedPod pod, Judgement judgement) {
    if (judgement.rejection() != null && !judgement.rejection().isResolvable()) {
      return null;
    }
    boolean alone = grouped == null && pod.pod().nominatedNode().isEmpty();
    LocalNodes nodes = alone ? cycle.localNodes(pod) : null;
    if (nodes != null) {
      return best(pod, nodes);
    }
    BitSet resolvable = new BitSet(cluster.nodes().size());
    for (int node = 0; node < cluster.nodes().size(); node++) {
      resolvable.set(node, cluster.nodes().node(node) != null && judgement.isResolvable(node));
    }
    if (grouped != null || resolvable.cardinality() < FEW_NODES) {
      return best(candidates(pod, judgement, null));
    }
    return indexOf(pod, resolvable).best(node -> victimsOn(node, pod, cycle.nodeTest(), null));
  }

  private CostIndex indexOf(PlacedPod pod, BitSet nodes) {
    return new CostIndex(cluster, pod, nodes, cycle.tieBreak().ranks(), boundByResources);
  }

  /**
   * All that may go is taken away; then, the most important first, what there is room for comes
   * back.
   */
  private Candidate victimsOn(int node, PlacedPod pod, NodeTest test, Misses misses) {
    List<PlacedPod> potential = new ArrayList<>();
    for (PlacedPod other = cluster.nodes().firstPod(node); other != null; other = other.next()) {
      if (other.spec().priority() < pod.spec().priority()) {
        potential.add(other);
      }
    }
    potential.sort(moreImportantFirst);
    potential.forEach(test::remove);
    if (potential.isEmpty() || !passes(test, pod, node, misses)) {
      potential.forEach(other -> test.add(other, node));
      if (potential.isEmpty() && misses != null) {
        misses.refused(NO_VICTIMS);
      }
      return null;
    }
    List<PlacedPod> guarded = new ArrayList<>();
    List<PlacedPod> free = new ArrayList<>();
    budgets.split(potential, guarded, free);
    List<PlacedPod> victims = new ArrayList<>();
    reprieve(guarded, pod, node, test, victims);
    int violations = victims.size();
    reprieve(free, pod, node, test, victims);
    victims.forEach(victim -> test.add(victim, node));
    victims.sort(moreImportantFirst);
    if (victims.isEmpty() && misses != null) {
      misses.failed(expectedVictim(node));
    }
    return victims.isEmpty() ? null : new Candidate(node, victims, violations);
  }

  /** A node about which nothing can be said is no candidate. */
  private static boolean passes(NodeTest test, PlacedPod pod, int node, Misses misses) {
    try {
      boolean passes = test.passes(pod, node);
      if (!passes && misses != null) {
        misses.refused(test.refusal().reasons());
      }
      return passes;
    } catch (CycleException e) {
      if (misses != null) {
        misses.failed(e.getMessage());
      }
      return false;
    }
  }

  private void reprieve(
      List<PlacedPod> pods, PlacedPod preemptor, int node, NodeTest test, List<PlacedPod> victims) {
    for (PlacedPod other : pods) {
      test.add(other, node);
      if (!passes(test, preemptor, node, null)) {
        test.remove(other);
        victims.add(other);
      }
    }
  }

  /** The same where those go together who belong to a group. */
  private Candidate unitsOn(int node, PlacedPod pod, NodeTest test, Misses misses) {
    List<Victims.Unit> potential;
    try {
      potential = grouped.on(node, pod.spec().priority());
    } catch (CycleException e) {
      if (misses != null) {
        misses.failed(e.getMessage());
      }
      return null;
    }
    Map<PlacedPod, Integer> nodes = new HashMap<>();
    potential.forEach(unit -> unit.pods().forEach(other -> nodes.put(other, other.node())));
    nodes.keySet().forEach(test::remove);
    List<Victims.Unit> gone = new ArrayList<>(potential);
    try {
      if (potential.isEmpty() || !passes(test, pod, node, misses)) {
        if (potential.isEmpty() && misses != null) {
          misses.refused(NO_VICTIMS);
        }
        return null;
      }
      Budgets.Split split = budgets.split(potential);
      int violations = 0;
      for (Victims.Unit unit : split.inOrder()) {
        unit.pods().forEach(other -> test.add(other, nodes.get(other)));
        if (passes(test, pod, node, null)) {
          gone.remove(unit);
        } else {
          unit.pods().forEach(test::remove);
          violations += split.violations(unit);
        }
      }
      return candidate(node, gone, violations, misses);
    } finally {
      gone.forEach(unit -> unit.pods().forEach(other -> test.add(other, nodes.get(other))));
    }
  }

  private Candidate candidate(int node, List<Victims.Unit> gone, int violations, Misses misses) {
    if (gone.isEmpty()) {
      if (misses != null) {
        misses.failed(expectedVictim(node));
      }
      return null;
    }
    return new Candidate(node, gone.stream().flatMap(u -> u.pods().stream()).toList(), violations);
  }

  private String expectedVictim(int node) {
    return "expected at least one victim pod on node \"%s\""
        .formatted(cluster.nodes().node(node).name());
  }
}
