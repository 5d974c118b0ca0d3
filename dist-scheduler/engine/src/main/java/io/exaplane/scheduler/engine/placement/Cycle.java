// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.CycleException;
import io.exaplane.scheduler.engine.plugin.DynamicResources;
import io.exaplane.scheduler.engine.plugin.Extrema;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.PreFilter;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.Scope;
import io.exaplane.scheduler.engine.plugin.Scorer;
import io.exaplane.scheduler.engine.plugin.Status;
import io.exaplane.scheduler.engine.plugin.Unsupported;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges a pod by asking every node and scoring those that do: kube-scheduler's cycle with {@code
 * percentageOfNodesToScore: 100}. Source: pkg/scheduler/schedule_one.go, findNodesThatFitPod and
 * prioritizeNodes. For its cluster's thread.
 *
 * <p>Longer than others: it is the cycle from its beginning to its end, with the ways to shorten
 * it.
 */
public final class Cycle {
  /** What {@link #choose} answers where it cannot tell. */
  public static final int UNKNOWN = -2;

  private final Cluster cluster;
  private final Profile profile;
  private final Plans plans;
  private final Judgement judgement;
  private final NodeTest nodeTest;
  private final TieBreak tieBreak;
  private final boolean findsDevices;
  private final Gates gates;
  private final Shortcut shortcut;
  private final CellScores partial = new CellScores();
  private boolean asksGates = true;
  private boolean asksNominated = true;
  private long score;

  /** What is said of nodes that a PreFilter leaves out. */
  private Status excluded;

  public Cycle(Cluster cluster, Profile profile, long seed) {
    this.cluster = cluster;
    this.profile = profile;
    plans = new Plans(cluster, profile, Runtime.getRuntime().maxMemory());
    judgement = new Judgement(cluster);
    nodeTest = new NodeTest(cluster);
    tieBreak = new TieBreak(cluster, seed);
    findsDevices = profile.findsDevices();
    gates = new Gates(cluster, profile);
    shortcut = new Shortcut(cluster, profile, plans, tieBreak);
  }

  private String unsupported(PlacedPod pod) {
    return findsDevices ? Unsupported.featureOf(pod.spec(), cluster, profile.version()) : null;
  }

  /** Says whether gates are asked from now on: not about pods that have their turn already. */
  public void askGates(boolean ask) {
    asksGates = ask;
  }

  /** Whether a pod may have its turn. */
  public boolean admits(PlacedPod pod) {
    return gates.ofPod(pod) == null
        && (!asksGates || gates.ofGroup(pod) == null)
        && (unsupported(pod) != null || Gates.ofClaims(pod, plans.of(pod.podClass())) == null);
  }

  /** Judges a pod that is on no node. The answer is the same object every time. */
  public Judgement judge(PlacedPod pod) {
    ClassPlan plan = findNodes(pod);
    if (plan != null) {
      score(plan);
    }
    return judgement;
  }

  /**
   * Whether a node does for a pod that is on none; the judgement is not of use any more.
   *
   * @param asked the plugins that are asked
   */
  public boolean does(PlacedPod pod, int node, Set<String> asked) {
    judgement.clear();
    try {
      Set<String> names = prepare(pod, plans.of(pod.podClass()));
      int count = 0;
      for (int i = 0; i < judgement.filterCount; i++) {
        if (asked.contains(judgement.filters[i].plugin())) {
          judgement.filters[count++] = judgement.filters[i];
        }
      }
      judgement.filterCount = count;
      nodeTest.use(judgement.filters, judgement.filterCount);
      return judgement.rejection == null
          && (names == null || names.contains(cluster.nodes().node(node).name()))
          && nodeTest.passes(pod, node);
    } catch (CycleException e) {
      return false;
    }
  }

  /** Judges a pod as if it waited for no node. */
  Judgement judgeAnew(PlacedPod pod) {
    asksNominated = false;
    try {
      return judge(pod);
    } finally {
      asksNominated = true;
    }
  }

  /** Asks all nodes; null if it did not come to that. */
  private ClassPlan findNodes(PlacedPod pod) {
    judgement.clear();
    judgement.unsupported = unsupported(pod);
    if (judgement.unsupported != null) {
      return null;
    }
    ClassPlan plan = plans.of(pod.podClass());
    judgement.rejection = asksGates ? gates.of(pod, plan) : null;
    if (judgement.rejection != null) {
      judgement.gated = true;
      return null;
    }
    if (cluster.nodeCount() == 0) {
      return null;
    }
    try {
      Set<String> names = prepare(pod, plan);
      nodeTest.use(judgement.filters, judgement.filterCount);
      judgement.nominatedDoes =
          asksNominated && judgement.rejection == null && nominatedNodeDoes(pod);
      if (judgement.rejection == null && !judgement.nominatedDoes) {
        filter(pod, names);
      }
    } catch (CycleException e) {
      judgement.failed(e.getMessage());
    }
    boolean asked = judgement.error == null && judgement.rejection == null;
    if (profile.givesDevicesUp() && judgement.error == null && judgement.feasibleCount == 0) {
      judgement.idleClaims = asked ? idleClaims(pod) : List.of();
      askDevices(plan);
    }
    return asked ? plan : null;
  }

  /** Source: pkg/scheduler/framework/plugins/dynamicresources, PostFilter. */
  private void askDevices(ClassPlan plan) {
    Status rejection = judgement.rejection;
    judgement.endsWithDevices =
        !findsDevices
            || (rejection != null
                && !rejection.isResolvable()
                && profile.asksBefore(rejection.plugin(), DynamicResources.NAME));
    boolean quiet = profile.version().atLeast(Version.V1_37);
    if (judgement.endsWithDevices) {
      judgement.devicesSay = "not found";
    } else if (!judgement.idleClaims.isEmpty()) {
      boolean goes = judgement.idleClaims.getFirst().forExtendedResources();
      judgement.devicesSay = (goes ? "deletion" : "deallocation") + " of ResourceClaim completed";
    } else if (quiet) {
      judgement.devicesSay = "";
    } else {
      boolean refused = rejection != null && rejection.plugin().equals(DynamicResources.NAME);
      boolean claims = !refused && Arrays.stream(plan.filters).anyMatch(Filter::hasClaims);
      judgement.devicesSay = claims ? "still not schedulable" : "no new claims to deallocate";
    }
  }

  private List<ResourceClaim> idleClaims(PlacedPod pod) {
    List<ResourceClaim> idle = new ArrayList<>();
    for (int i = 0; i < judgement.filterCount; i++) {
      idle.addAll(judgement.filters[i].idleClaims(pod.pod()));
    }
    return idle;
  }

  /**
   * The node that {@link #judge} would find best, without looking at every node where that can be
   * known.
   *
   * @return its number, -1 if there is none, or {@link #UNKNOWN} if the pod has to be judged
   */
  public int choose(PlacedPod pod) {
    if (isOdd(pod)) {
      return UNKNOWN;
    }
    int best = shortcut.best(pod.podClass());
    score = shortcut.score();
    return best;
  }

  /** Whether {@link #candidates} tell where a pod goes. */
  public boolean takesCandidates(PlacedPod pod) {
    return !isOdd(pod) && shortcut.takesCandidates(pod.podClass());
  }

  /** Equal for pods that are decided about alike while nodes and surroundings stay as they are. */
  public Object alike(PlacedPod pod) {
    return plans.keyOf(pod.podClass());
  }

  /**
   * The best nodes that this cluster has for a class of pods, for somebody who asks several
   * clusters that have some of the nodes each.
   *
   * @param most so many of each cell at most
   * @return null if it cannot tell
   */
  public List<BestOfCell> bestOfEach(PodClass pods, int most) {
    return shortcut.bestOfEach(pods, most);
  }

  /**
   * What others said of all the nodes of this cluster, as it is now, about a pod's class.
   *
   * @param said null if they cannot tell
   */
  public Candidates candidates(PlacedPod pod, List<BestOfCell> said) {
    return said == null
        ? new Candidates(plans.of(pod.podClass()))
        : shortcut.candidates(pod.podClass(), said);
  }

  private boolean isOdd(PlacedPod pod) {
    return !pod.spec().schedulingGates().isEmpty()
        || unsupported(pod) != null
        || !pod.pod().nominatedNode().isEmpty()
        || (asksGates && gates.ofGroup(pod) != null);
  }

  /**
   * The nodes that do, to be scored together with those elsewhere, where that can be known without
   * looking at every node; null if the pod has to be judged ({@link #judgePart}).
   */
  public PartialScores choosePart(PlacedPod pod) {
    return isOdd(pod) ? null : shortcut.part(pod.podClass());
  }

  /** Judges a pod like {@link #judge}, but for the scores, which nodes elsewhere have a say in. */
  public PartialScores judgePart(PlacedPod pod) {
    ClassPlan plan = findNodes(pod);
    partial.clear();
    if (plan != null) {
      partial.addAll(judgement, plan);
    }
    Scorer[] scorers = plan == null ? new Scorer[0] : plan.scorers(Scope.CLUSTER::equals);
    int[] weights = plan == null ? new int[0] : plan.weights(Scope.CLUSTER::equals);
    return new PartialScores(partial, judgement.feasibleCount(), scorers, weights);
  }

  /** What was found out about the pod that was judged last. */
  public Judgement judgement() {
    return judgement;
  }

  /**
   * The best of the nodes that do, or -1.
   *
   * @param all the highest and lowest scores of all nodes, wherever they are
   */
  public int best(PartialScores part, Map<String, Extrema> all) {
    int best = part.best(all, tieBreak.ranks());
    score = best < 0 ? 0 : part.score();
    return best;
  }

  /** What the class of a pod adds up, by domains; volumes have no say in that. */
  public List<DomainSums> sums(PlacedPod pod) {
    return plans.of(cluster.withoutVolumes(pod.podClass())).sums().toList();
  }

  /**
   * For a pod that waits for no node and found none: those that might do if other pods went, or
   * null if other nodes decide, too.
   */
  public LocalNodes localNodes(PlacedPod pod) {
    ClassIndex index = plans.of(pod.podClass()).indexNow(tieBreak);
    return index == null ? null : index.local();
  }

  /** The score of what {@link #choose} or {@link #best} found last; 0 of the only feasible node. */
  public long score() {
    return score;
  }

  /** The best of the feasible nodes, or -1. */
  public int best() {
    tieBreak.refresh();
    int best = -1;
    for (int i = 0; i < judgement.feasibleCount(); i++) {
      if (best < 0
          || judgement.totals[i] > judgement.totals[best]
          || (judgement.totals[i] == judgement.totals[best]
              && tieBreak.prefers(judgement.feasible[i], judgement.feasible[best]))) {
        best = i;
      }
    }
    score = best < 0 ? 0 : judgement.totals[best];
    return best < 0 ? -1 : judgement.feasible[best];
  }

  /** What asks single nodes about the pod that was judged last. */
  public NodeTest nodeTest() {
    return nodeTest;
  }

  public TieBreak tieBreak() {
    tieBreak.refresh();
    return tieBreak;
  }

  /**
   * Asks the filters what they know without nodes: those that have nothing to say about the pod are
   * left out from here on.
   */
  private Set<String> prepare(PlacedPod pod, ClassPlan plan) {
    judgement.filters =
        judgement.filters.length < plan.filters.length
            ? new Filter[plan.filters.length]
            : judgement.filters;
    Set<String> names = null;
    Status rejection = null;
    TreeSet<String> restricting = new TreeSet<>();
    for (Filter filter : plan.filters) {
      PreFilter known = filter.prepare(pod.pod());
      if (known.skipped()) {
        continue;
      }
      if (known.rejection() != null) {
        rejection = known.rejection();
        if (!rejection.isResolvable()) {
          break;
        }
        continue;
      }
      judgement.filters[judgement.filterCount++] = filter;
      if (known.nodeNames() != null) {
        restricting.add(filter.plugin());
        if (names == null) {
          names = new TreeSet<>(known.nodeNames());
        } else {
          names.retainAll(known.nodeNames());
        }
      }
    }
    judgement.rejection = rejection;
    if (names != null) {
      judgement.restricting = restricting;
      excluded =
          Status.unresolvable(
              "", "node(s) didn't satisfy plugin(s) [" + String.join(" ", restricting) + "]");
    }
    return names;
  }

  /**
   * A pod that waits for a node gets it if it does; no other is looked at then. If it does not, for
   * whatever reason, all are.
   */
  private boolean nominatedNodeDoes(PlacedPod pod) {
    int node = pod.pod().nominatedNode().isEmpty() ? -1 : cluster.nodeId(pod.pod().nominatedNode());
    boolean does = node >= 0 && ask(pod, node);
    judgement.error = null;
    return does;
  }

  private void filter(PlacedPod pod, Set<String> names) {
    if (names != null) {
      judgement.notAsked = excluded;
      for (String name : names) {
        int node = cluster.nodeId(name);
        if (node >= 0) {
          ask(pod, node);
        }
      }
      return;
    }
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (cluster.nodes().node(node) != null) {
        ask(pod, node);
      }
    }
  }

  private boolean ask(PlacedPod pod, int node) {
    try {
      if (nodeTest.passes(pod, node)) {
        judgement.refusedBy[node] = Judgement.FEASIBLE;
        judgement.feasible[judgement.feasibleCount++] = node;
        return true;
      }
    } catch (CycleException e) {
      if (e.isLast()) {
        throw e;
      }
      judgement.failed(e.getMessage());
      return false;
    }
    judgement.refusedBy[node] = nodeTest.refusedBy();
    judgement.verdicts[node] = nodeTest.verdict();
    return false;
  }

  /** A node that is the only one is not scored. */
  private void score(ClassPlan plan) {
    int count = judgement.feasibleCount;
    Arrays.fill(judgement.totals, 0, count, 0);
    if (count < 2) {
      return;
    }
    if (judgement.scores.length < plan.scorers.length) {
      judgement.scorers = new Scorer[plan.scorers.length];
      judgement.scores = new long[plan.scorers.length][0];
    }
    for (int s = 0; s < plan.scorers.length; s++) {
      Scorer scorer = plan.scorers[s];
      if (scorer.prepare(judgement.feasible, judgement.alike, count)) {
        score(scorer, plan.weights[s], count);
      }
    }
  }

  private void score(Scorer scorer, int weight, int count) {
    int place = judgement.scorerCount++;
    if (judgement.scores[place].length < count) {
      judgement.scores[place] = new long[judgement.feasible.length];
    }
    long[] scores = judgement.scores[place];
    for (int i = 0; i < count; i++) {
      scores[i] = scorer.score(judgement.feasible[i]);
    }
    scorer.normalize(judgement.feasible, scores, count);
    for (int i = 0; i < count; i++) {
      scores[i] *= weight;
      judgement.totals[i] += scores[i];
    }
    judgement.scorers[place] = scorer;
  }
}
