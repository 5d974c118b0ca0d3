// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.gang.Assumptions;
import io.exaplane.scheduler.engine.gang.Progress;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.preemption.GroupPreemption;
import io.exaplane.scheduler.engine.preemption.GroupPreemption.Attempt;
import io.exaplane.scheduler.engine.preemption.GroupPreemption.Found;
import io.exaplane.scheduler.engine.preemption.GroupPreemption.Place;
import io.exaplane.scheduler.engine.preemption.GroupPreemption.Result;
import io.exaplane.scheduler.engine.queue.GroupEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Decides about the pods of a group as 1.37 does: each as if those before it were where they go,
 * until enough have a place or too few can. If too few can, it looks for others to evict from all
 * nodes, for the group as a whole. For the cluster's thread. Source:
 * pkg/scheduler/schedule_one_podgroup.go.
 */
final class WorkloadTurn {
  private static final String UNSCHEDULABLE = "pod group is unschedulable";
  private static final String OTHER_FAILED = "failed to schedule other pod from a pod group: ";

  /**
   * What was found out about a pod by itself.
   *
   * @param failed whether there was an error, or something that is not supported
   * @param sawDevices whether DynamicResources was asked about it
   * @param asked the plugins that had something to say about it, if all nodes were asked
   */
  private record Tried(
      Decision decision, String progress, boolean failed, boolean sawDevices, Set<String> asked) {}

  /** What was found out about the group, in kube-scheduler's words. */
  private record Outcome(Result result, List<String> says, List<Tried> tried) {
    String message() {
      return String.join(", ", says);
    }

    /** The same with what can be done for the group. */
    Outcome with(Found found) {
      if (found.result() == Result.FAILED) {
        return new Outcome(Result.FAILED, List.of(found.message()), tried);
      }
      List<String> all = new ArrayList<>(says);
      all.add(found.message());
      return new Outcome(result, all, tried);
    }
  }

  private final Cluster cluster;

  /** Decides about one pod; true if all nodes have to be asked. */
  private final BiFunction<PlacedPod, Boolean, Decision> decide;

  /** Whether DynamicResources is asked what can be done for the group. */
  private final boolean asksDevices;

  /** Null if nobody is evicted. */
  private final GroupPreemption preemption;

  private final Assumptions assumptions;
  private final GroupObserver observer;

  /** Whether nothing was decided, as something is not supported. */
  private boolean undecided;

  /** Whether it was told who has to go. */
  private boolean told;

  WorkloadTurn(
      Cluster cluster,
      BiFunction<PlacedPod, Boolean, Decision> decide,
      boolean asksDevices,
      GroupPreemption preemption,
      GroupObserver observer) {
    this.cluster = cluster;
    this.decide = decide;
    this.asksDevices = asksDevices;
    this.preemption = preemption;
    this.observer = observer;
    assumptions = new Assumptions(cluster);
  }

  /**
   * Decides; afterwards, the cluster is the same as before.
   *
   * @param withReasons whether judgements are wanted: then all is decided once more, so that each
   *     can be read before the next pod's takes its place. Otherwise there are none
   * @return what becomes of the pods, in their order
   */
  List<Decision> decide(PodGroup group, List<PlacedPod> pods, boolean withReasons) {
    Outcome outcome;
    try {
      outcome = attempt(group, pods, false);
    } finally {
      assumptions.revert();
    }
    Found found =
        undecided || outcome.result() != Result.REFUSED ? null : rescue(group, pods, outcome);
    Outcome whole = found == null ? outcome : outcome.with(found);
    List<Decision> decisions = new ArrayList<>();
    try {
      for (int i = 0; i < pods.size(); i++) {
        decisions.add(tell(pods.get(i), i, outcome, whole, found, withReasons));
      }
    } finally {
      assumptions.revert();
    }
    observer.ended(new GroupOutcome(end(outcome.result()), end(whole.result()), whole.message()));
    return decisions;
  }

  private static GroupEnd end(Result result) {
    return switch (result) {
      case PLACED -> GroupEnd.PLACED;
      case REFUSED, HOPELESS -> GroupEnd.REFUSED;
      case FAILED -> GroupEnd.FAILED;
    };
  }

  private Outcome attempt(PodGroup group, List<PlacedPod> pods, boolean asksAll) {
    int placed = cluster.groups().placed(pods.getFirst().pod());
    Progress progress = new Progress(group.minCount(), pods.size(), placed);
    List<Tried> tried = new ArrayList<>();
    if (progress.isHopeless()) {
      return new Outcome(Result.REFUSED, List.of(UNSCHEDULABLE, progress.says()), tried);
    }
    boolean any = false;
    for (PlacedPod pod : pods) {
      Decision decision = decide.apply(pod, asksAll);
      boolean failed = isFailure(decision);
      boolean places = !decision.node().isEmpty();
      if (failed) {
        tried.add(new Tried(decision.withoutJudgement(), "", true, true, Set.of()));
        return new Outcome(Result.FAILED, List.of(OTHER_FAILED + decision.message()), tried);
      }
      if (places) {
        assume(decision);
      }
      progress.after(places);
      boolean sawDevices = places || !decision.judgement().endsWithDevices();
      Set<String> asked = asksAll ? decision.judgement().asked() : Set.of();
      tried.add(
          new Tried(decision.withoutJudgement(), progress.status(), false, sawDevices, asked));
      if (progress.isHopeless()) {
        return new Outcome(Result.REFUSED, List.of(progress.says()), tried);
      }
      any |= places;
    }
    return any
        ? new Outcome(Result.PLACED, List.of(), tried)
        : new Outcome(Result.REFUSED, List.of(UNSCHEDULABLE), tried);
  }

  private boolean isFailure(Decision decision) {
    Judgement judgement = decision.judgement();
    undecided |= judgement != null && judgement.unsupported() != null;
    return undecided || (judgement != null && judgement.error() != null);
  }

  private void assume(Decision decision) {
    int node = cluster.nodeId(decision.node());
    assumptions.assume(decision.pod(), node, decision.grants());
  }

  /** Source: pkg/scheduler/framework/runtime/framework.go, RunPodGroupPostFilterPlugins. */
  private Found rescue(PodGroup group, List<PlacedPod> pods, Outcome outcome) {
    List<String> says = new ArrayList<>();
    if (asksDevices) {
      // kube-scheduler takes it for an error that the plugin has seen none of the pods.
      if (outcome.tried().stream().noneMatch(Tried::sawDevices)) {
        return failed("DynamicResources", "not found");
      }
      says.add("deallocation and deletion of ResourceClaims completed");
    }
    if (preemption == null) {
      return new Found(Result.REFUSED, String.join(", ", says), Map.of(), List.of());
    }
    Found found =
        preemption.find(
            group,
            pods,
            () -> again(group, pods),
            place -> assumptions.assumeBeside(place.pod(), place.node(), place.grants()),
            assumptions::revert);
    if (found.result() == Result.FAILED) {
      return failed("DefaultPreemption", found.message());
    }
    if (found.result() != Result.REFUSED) {
      return found;
    }
    says.add(found.message());
    return new Found(Result.REFUSED, String.join(", ", says), Map.of(), List.of());
  }

  private static Found failed(String plugin, String why) {
    String says = "error in \"%s\" PodGroupPostFilter plugins: %s".formatted(plugin, why);
    return new Found(Result.FAILED, says, Map.of(), List.of());
  }

  private Attempt again(PodGroup group, List<PlacedPod> pods) {
    Outcome outcome;
    try {
      outcome = attempt(group, pods, true);
    } finally {
      assumptions.revert();
    }
    List<Place> places = new ArrayList<>();
    for (Tried one : outcome.tried()) {
      Decision decision = one.decision();
      observer.triedAgain(decision.pod(), decision.node());
      if (!decision.node().isEmpty()) {
        places.add(
            new Place(
                decision.pod(), cluster.nodeId(decision.node()), decision.grants(), one.asked()));
      }
    }
    return new Attempt(outcome.result(), outcome.message(), places);
  }

  private Decision tell(
      PlacedPod pod, int i, Outcome first, Outcome whole, Found found, boolean withReasons) {
    boolean finds = found != null && found.result() == Result.PLACED;
    String place = finds ? found.places().get(pod) : null;
    if (i >= first.tried().size()) {
      boolean failed = whole.result() == Result.FAILED;
      String why = failed ? whole.message() : first.message();
      Decision waits = waiting(Decision.stays(pod, null, false, ""), place, why);
      Decision stays = withVictims(waits.forgetting(failed && !undecided, why), found);
      observer.accept(new GroupMember(stays, "", stays));
      return stays;
    }
    Tried before = first.tried().get(i);
    Decision decision = withReasons ? decide.apply(pod, false) : before.decision();
    Decision outcome = withVictims(outcome(decision, before, whole, place, finds), found);
    observer.accept(new GroupMember(decision, before.progress(), outcome));
    if (withReasons && !decision.node().isEmpty()) {
      assume(decision);
    }
    return outcome;
  }

  private Decision outcome(
      Decision decision, Tried before, Outcome whole, String place, boolean waits) {
    boolean places = !decision.node().isEmpty();
    if (whole.result() == Result.FAILED) {
      return before.failed() ? decision : decision.staysBecause(!undecided, whole.message());
    }
    if (!places) {
      return waiting(decision, place, decision.message());
    }
    if (whole.result() == Result.PLACED) {
      return decision;
    }
    return waits
        ? waiting(decision.staysBecause(false, whole.message()), place, whole.message())
        : decision.staysBecause(true, UNSCHEDULABLE + ", " + whole.message());
  }

  /**
   * The same pod waits for a node from now on.
   *
   * @param place empty if it waits for none any more, null if nothing changes about that
   */
  private static Decision waiting(Decision decision, String place, String why) {
    if (place == null || place.isEmpty()) {
      return decision.forgetting(place != null, why);
    }
    return Decision.waitsFor(place, decision.pod(), decision.judgement(), List.of())
        .with(null, false, why);
  }

  /** Victims go for the group; the first of its pods that waits for a place has them. */
  private Decision withVictims(Decision decision, Found found) {
    if (found == null || decision.nominated().isEmpty() || told) {
      return decision;
    }
    told = true;
    return decision.withVictims(found.victims());
  }
}
