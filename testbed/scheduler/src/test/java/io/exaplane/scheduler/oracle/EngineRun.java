// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.oracle;

import io.exaplane.scheduler.explain.Decision;
import io.exaplane.scheduler.explain.Simulation;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.NodeTable;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.placement.Cycle;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.plugin.Status;
import io.exaplane.scheduler.preemption.Candidate;
import io.exaplane.scheduler.preemption.DefaultPreemption;
import io.exaplane.scheduler.scenario.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The engine on one scenario: every pod that waits is judged; then what was decided comes true. */
final class EngineRun {
  private final Cluster cluster;
  private final Simulation simulation;
  private final Profile profile;

  EngineRun(List<Map<String, Object>> objects, Profile profile, long seed) {
    this.profile = profile;
    cluster = Clusters.of(objects, profile.version());
    simulation = new Simulation(cluster, profile, seed, true);
  }

  List<Scenario.Step> steps() {
    List<Scenario.Step> steps = new ArrayList<>();
    for (PlacedPod pod : simulation.waiting()) {
      Decision decision = simulation.decide(pod);
      Answer answer = answer(decision);
      steps.add(
          new Scenario.Step(
              answer,
              decision.node(),
              decision.nominated(),
              decision.victims().stream().map(victim -> victim.pod().key()).toList()));
      simulation.apply(decision);
    }
    return steps;
  }

  private Answer answer(Decision decision) {
    Judgement judgement = decision.judgement();
    NodeTable nodes = cluster.nodes();
    Map<String, Answer.Scored> feasible = new TreeMap<>();
    List<String> scorers = judgement.scorers();
    for (int i = 0; i < judgement.feasibleCount(); i++) {
      Map<String, Long> scores = new TreeMap<>();
      for (int s = 0; s < scorers.size(); s++) {
        scores.put(scorers.get(s), judgement.score(s, i));
      }
      feasible.put(
          nodes.node(judgement.feasible(i)).name(), new Answer.Scored(judgement.total(i), scores));
    }
    Map<String, Answer.Verdict> infeasible = new TreeMap<>();
    for (int node = 0; node < nodes.size(); node++) {
      if (judgement.isRefused(node)) {
        Status status = judgement.refusal(node);
        infeasible.put(
            nodes.node(node).name(),
            new Answer.Verdict(status.plugin(), status.code().toString(), status.reasons()));
      }
    }
    return preemption(
            decision,
            new Answer(
                decision.pod().pod().key(),
                "",
                feasible,
                infeasible,
                decision.message(),
                Map.of(),
                List.of(),
                ""))
        .normal();
  }

  private Answer preemption(Decision decision, Answer answer) {
    if (!profile.preempts() || !decision.node().isEmpty() || isGated(decision.judgement())) {
      return new Answer(
          answer.pod(), "", answer.feasible(), answer.infeasible(), "", Map.of(), List.of(), "");
    }
    DefaultPreemption preemption = simulation.preemption(decision.pod());
    String notEligible = preemption.notEligible(decision.pod(), decision.judgement());
    Map<String, Answer.Eviction> candidates = new TreeMap<>();
    List<String> best = new ArrayList<>();
    if (notEligible == null) {
      List<Candidate> all = preemption.candidates(decision.pod(), decision.judgement());
      all.forEach(
          c ->
              candidates.put(
                  name(c),
                  new Answer.Eviction(
                      c.victims().stream().map(v -> v.pod().key()).toList(),
                      c.budgetViolations())));
      if (!all.isEmpty()) {
        preemption.equallyGood(all).forEach(c -> best.add(name(c)));
      }
    }
    return new Answer(
        answer.pod(),
        "",
        answer.feasible(),
        answer.infeasible(),
        answer.message(),
        candidates,
        best,
        notEligible);
  }

  private String name(Candidate candidate) {
    return cluster.nodes().node(candidate.node()).name();
  }

  /** Pods with gates do not get as far as a message, or as preemption. */
  private static boolean isGated(Judgement judgement) {
    Status rejection = judgement.rejection();
    return rejection != null && rejection.plugin().equals(Cycle.GATES);
  }
}
