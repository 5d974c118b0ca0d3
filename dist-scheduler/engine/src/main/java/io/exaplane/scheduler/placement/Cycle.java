// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.PodClass;
import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.plugin.CycleException;
import io.exaplane.scheduler.plugin.DynamicResources;
import io.exaplane.scheduler.plugin.Filter;
import io.exaplane.scheduler.plugin.GangScheduling;
import io.exaplane.scheduler.plugin.Plugin;
import io.exaplane.scheduler.plugin.PreFilter;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.plugin.Scorer;
import io.exaplane.scheduler.plugin.Status;
import io.exaplane.scheduler.plugin.Unsupported;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges a pod by asking every node and scoring those that do: kube-scheduler's cycle with {@code
 * percentageOfNodesToScore: 100}. Source: pkg/scheduler/schedule_one.go, findNodesThatFitPod and
 * prioritizeNodes. For its cluster's thread.
 */
public final class Cycle {
  /** Who keeps pods with gates from being judged. */
  public static final String GATES = "SchedulingGates";

  /** What {@link #choose} answers where it cannot tell. */
  public static final int UNKNOWN = -2;

  private final Cluster cluster;
  private final Profile profile;
  private final Plans plans;
  private final Judgement judgement;
  private final NodeTest nodeTest;
  private final TieBreak tieBreak;
  private final boolean findsDevices;
  private final List<Plugin> aboutVolumes;
  private boolean asksGates = true;
  private long score;

  /** What is said of nodes that a PreFilter leaves out. */
  private Status excluded;

  public Cycle(Cluster cluster, Profile profile, long seed) {
    this.cluster = cluster;
    this.profile = profile;
    plans = new Plans(cluster, profile);
    judgement = new Judgement(cluster);
    nodeTest = new NodeTest(cluster);
    tieBreak = new TieBreak(cluster, seed);
    findsDevices = profile.findsDevices();
    aboutVolumes = profile.filters().stream().filter(Plugin::isAboutVolumes).toList();
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
    return schedulingGate(pod) == null
        && gangGate(pod) == null
        && (unsupported(pod) != null || claimsGate(pod, plans.of(pod.podClass())) == null);
  }

  /** Judges a pod that is on no node. The answer is the same object every time. */
  public Judgement judge(PlacedPod pod) {
    judgement.clear();
    judgement.unsupported = unsupported(pod);
    if (judgement.unsupported != null) {
      return judgement;
    }
    ClassPlan plan = plans.of(pod.podClass());
    judgement.rejection = asksGates ? gate(pod, plan) : null;
    if (judgement.rejection != null) {
      judgement.gated = true;
      return judgement;
    }
    if (cluster.nodeCount() == 0) {
      return judgement;
    }
    try {
      Set<String> names = prepare(pod, plan);
      nodeTest.use(judgement.filters, judgement.filterCount);
      if (judgement.rejection == null && !nominatedNodeDoes(pod)) {
        filter(pod, names);
      }
    } catch (CycleException e) {
      judgement.failed(e.getMessage());
    }
    if (judgement.error == null && judgement.rejection == null) {
      score(plan);
      if (judgement.feasibleCount == 0 && profile.givesDevicesUp()) {
        judgement.idleClaims = idleClaims(pod);
      }
    }
    if (profile.givesDevicesUp() && judgement.error == null && judgement.feasibleCount == 0) {
      askDevices(plan);
    }
    return judgement;
  }

  /** Source: pkg/scheduler/framework/plugins/dynamicresources, PostFilter. */
  private void askDevices(ClassPlan plan) {
    Status rejection = judgement.rejection;
    judgement.endsWithDevices =
        !findsDevices
            || (rejection != null
                && !rejection.isResolvable()
                && profile.asksBefore(rejection.plugin(), DynamicResources.NAME));
    if (judgement.endsWithDevices) {
      judgement.devicesSay = "not found";
    } else if (!judgement.idleClaims.isEmpty()) {
      boolean goes = judgement.idleClaims.getFirst().forExtendedResources();
      judgement.devicesSay = (goes ? "deletion" : "deallocation") + " of ResourceClaim completed";
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

  /** Why nobody asks for a pod yet, or null. */
  private Status gate(PlacedPod pod, ClassPlan plan) {
    Status gate = schedulingGate(pod);
    if (gate == null) {
      gate = claimsGate(pod, plan);
    }
    return gate == null ? gangGate(pod) : gate;
  }

  private Status schedulingGate(PlacedPod pod) {
    List<String> gates = pod.spec().schedulingGates();
    return profile.respectsGates() && !gates.isEmpty()
        ? Status.unresolvable(
            GATES, "waiting for scheduling gates: [" + String.join(" ", gates) + "]")
        : null;
  }

  private static Status claimsGate(PlacedPod pod, ClassPlan plan) {
    for (Filter filter : plan.filters) {
      Status status = filter.gate(pod.pod());
      if (status != null) {
        return status;
      }
    }
    return null;
  }

  private Status gangGate(PlacedPod pod) {
    boolean asks = asksGates && profile.schedulesGangs();
    return asks ? GangScheduling.gate(pod.pod(), cluster.groups()) : null;
  }

  /**
   * The node that {@link #judge} would find best, without looking at every node where that can be
   * known.
   *
   * @return its number, -1 if there is none, or {@link #UNKNOWN} if the pod has to be judged
   */
  public int choose(PlacedPod pod) {
    boolean odd = !pod.spec().schedulingGates().isEmpty() || unsupported(pod) != null;
    if (odd || !pod.pod().nominatedNode().isEmpty() || gangGate(pod) != null) {
      return UNKNOWN;
    }
    PodClass withoutVolumes = cluster.withoutVolumes(pod.podClass());
    boolean volumesDecide = !aboutVolumes.isEmpty() && withoutVolumes != pod.podClass();
    ClassIndex index = plans.of(withoutVolumes).index(tieBreak);
    if (index == null || (volumesDecide && cluster.hasNominations())) {
      return UNKNOWN;
    }
    int best = volumesDecide ? bestWithVolumes(pod.podClass(), index) : index.best();
    score = best < 0 || index.feasibleCount() == 1 ? 0 : index.bestScore();
    return best;
  }

  /**
   * The best node for pods without volumes that the plugins which look at volumes let have them.
   * Where there is none, every node has to be asked why.
   */
  private int bestWithVolumes(PodClass pods, ClassIndex index) {
    List<Filter> asked = new ArrayList<>();
    for (Plugin plugin : aboutVolumes) {
      Filter filter = plugin.filter(pods, cluster);
      PreFilter known = filter == null ? PreFilter.SKIP : filter.prepare();
      if (known.rejection() != null || known.nodeNames() != null) {
        return UNKNOWN;
      }
      if (!known.skipped()) {
        asked.add(filter);
      }
    }
    int best =
        index.best(
            node -> {
              for (Filter filter : asked) {
                if (filter.test(node) != Filter.PASSES) {
                  return false;
                }
              }
              return true;
            });
    return best < 0 ? UNKNOWN : best;
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
