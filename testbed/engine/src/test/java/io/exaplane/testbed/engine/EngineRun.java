// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import io.exaplane.scheduler.cel.CelSelectors;
import io.exaplane.scheduler.engine.decision.ClaimEffects;
import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.decision.GroupMember;
import io.exaplane.scheduler.engine.decision.GroupObserver;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Quantity;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.model.device.DeviceSelector;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.Status;
import io.exaplane.scheduler.engine.preemption.Candidate;
import io.exaplane.scheduler.engine.preemption.DefaultPreemption;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Dice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The engine on one scenario: every pod that waits is judged; then what was decided comes true. */
final class EngineRun {
  private static final CelSelectors COMPILER = new CelSelectors();

  /** Of all scenarios, which ask by the same few expressions. */
  private static final Map<String, DeviceSelector> SELECTORS = new HashMap<>();

  private final Cluster cluster;
  private final Decider decider;
  private final Profile profile;
  private final List<Scenario.Step> steps = new ArrayList<>();

  EngineRun(List<Map<String, Object>> objects, Profile profile, long seed) {
    this.profile = profile;
    cluster = Clusters.of(objects, profile.version(), EngineRun::selector);
    decider = new Decider(cluster, profile, seed, true);
  }

  private static DeviceSelector selector(String expression) {
    return SELECTORS.computeIfAbsent(expression, COMPILER::compile);
  }

  List<Scenario.Step> steps() {
    decider.eachTurn(
        turn -> {
          if (turn.grouped()) {
            decideTogether(turn.pods());
          } else {
            decide(turn.pods().getFirst());
          }
        });
    return steps;
  }

  private void decide(PlacedPod pod) {
    Decision decision = decider.decide(pod);
    Answer answer = answer(decision);
    steps.add(Scenario.Step.alone(answer, effect(decision)));
    decider.apply(decision);
  }

  private void decideTogether(List<PlacedPod> pods) {
    GroupRun group = new GroupRun();
    List<Decision> outcomes = decider.decideTogether(pods, group);
    boolean workloads = profile.version().atLeast(Version.V1_37);
    Map<String, String> becomes = workloads ? group.becomes(outcomes) : Map.of();
    List<Scenario.Effect> effects = new ArrayList<>();
    for (Decision outcome : outcomes) {
      effects.add(effect(outcome));
      decider.apply(outcome);
    }
    if (group.members.isEmpty()) {
      return;
    }
    boolean whole = workloads && group.isWhole(outcomes);
    for (int i = 0; i < group.members.size(); i++) {
      Scenario.Step step = group.members.get(i);
      boolean last = i == group.members.size() - 1;
      steps.add(
          new Scenario.Step(
              last && whole ? step.answer().decidedTogether(becomes).normal() : step.answer(),
              last ? effects : List.of(),
              true,
              step.assumed(),
              whole,
              last ? group.again : List.of()));
    }
  }

  /** What becomes of a group, as the oracle tells it, too. */
  private final class GroupRun implements GroupObserver {
    private final List<Scenario.Step> members = new ArrayList<>();
    private final List<Map<String, Object>> again = new ArrayList<>();
    private final Map<String, String> progress = new HashMap<>();
    private boolean gated;

    /** Of pods after one that failed nobody says anything. */
    @Override
    public void accept(GroupMember member) {
      Decision decision = member.decision();
      boolean workloads = profile.version().atLeast(Version.V1_37);
      progress.put(decision.pod().pod().key(), member.said());
      if (decision.judgement() != null) {
        gated |= decision.judgement().isGated();
        Answer answer = answer(decision, workloads);
        String place = workloads ? decision.node() : decision.place();
        members.add(
            Scenario.Step.member(
                workloads ? answer : answer.permitted(member.said()), place, false));
      }
    }

    @Override
    public void triedAgain(PlacedPod pod, String node) {
      again.add(Dice.map("pod", pod.pod().key(), "node", node));
    }

    boolean isWhole(List<Decision> outcomes) {
      return !gated && members.size() > 0 && outcomes.size() > 0;
    }

    Map<String, String> becomes(List<Decision> outcomes) {
      Map<String, String> all = new TreeMap<>();
      List<String> victims = new ArrayList<>();
      for (Decision outcome : outcomes) {
        String key = outcome.pod().pod().key();
        boolean waited = !outcome.pod().pod().nominatedNode().isEmpty();
        String place =
            !outcome.place().isEmpty()
                ? outcome.place()
                : outcome.waitsNoMore() ? "none any more" : waited ? "as before" : "none";
        all.put(key, outcome.message() + " | " + place + " | " + progress.get(key));
        // Nobody has to tell those to go that are going.
        outcome.victims().stream()
            .filter(victim -> !victim.spec().terminating())
            .forEach(victim -> victims.add(victim.pod().key()));
      }
      if (!victims.isEmpty()) {
        all.put("victims", victims.stream().sorted().collect(Collectors.joining(" ")));
      }
      return all;
    }
  }

  private Scenario.Effect effect(Decision decision) {
    return new Scenario.Effect(
        decision.pod().pod().key(),
        decision.node(),
        decision.nominated(),
        decision.victims().stream().map(victim -> victim.pod().key()).toList(),
        ClaimEffects.areTold(decision.pod().pod(), decision.grants(), cluster.devices()),
        decision.givenUp() == null ? "" : decision.givenUp().key(),
        decision.waitsNoMore());
  }

  private Answer answer(Decision decision) {
    return answer(decision, false);
  }

  /**
   * The same.
   *
   * @param inWorkload whether nothing is tried for the pod alone if it finds no node
   */
  private Answer answer(Decision decision, boolean inWorkload) {
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
    boolean gated = judgement.isGated();
    Answer answer =
        new Answer(
            decision.pod().pod().key(),
            judgement.error(),
            feasible,
            infeasible,
            gated || judgement.error() != null ? "" : message(decision),
            Map.of(),
            List.of(),
            "",
            gated || inWorkload ? List.of() : idle(decision),
            grants(decision),
            !inWorkload && decision.waitsNoMore(),
            "",
            Map.of());
    boolean tries =
        profile.preempts()
            && !inWorkload
            && decision.node().isEmpty()
            && !gated
            && !judgement.endsWithDevices()
            && judgement.error() == null
            && judgement.unsupported() == null;
    return tries ? preemption(decision, answer).normal() : answer.normal();
  }

  /**
   * What is said, but for where there is room: the oracle finds all nodes that are equally good,
   * and takes none.
   */
  private String message(Decision decision) {
    String message = decision.message();
    if (decision.nominated().isEmpty() || !profile.version().atLeast(Version.V1_37)) {
      return message;
    }
    String room =
        " preemption: found a potential placement for pod on node %s, preempting %d victims"
            .formatted(decision.nominated(), decision.victims().size());
    return message.endsWith(room)
        ? message.substring(0, message.length() - room.length())
        : "without room: " + message;
  }

  private static List<String> idle(Decision decision) {
    return decision.node().isEmpty()
        ? decision.judgement().idleClaims().stream().map(ResourceClaim::key).toList()
        : List.of();
  }

  /** What the pod's own claims would be given on each node that does. */
  private Map<String, Map<String, List<String>>> grants(Decision decision) {
    Map<String, Map<String, List<String>>> grants = new TreeMap<>();
    Judgement judgement = decision.judgement();
    boolean tells = profile.version().atLeast(Version.V1_36) && profile.findsDevices();
    for (int i = 0; tells && i < judgement.feasibleCount(); i++) {
      int node = judgement.feasible(i);
      Map<String, List<String>> ofNode = new TreeMap<>();
      for (Grant grant : judgement.grants(node)) {
        if (!grant.isNew()) {
          ofNode.put(grant.claim().key(), words(grant.allocation()));
        }
      }
      if (!decision.pod().spec().claims().isEmpty()) {
        grants.put(cluster.nodes().node(node).name(), ofNode);
      }
    }
    return grants;
  }

  private static List<String> words(Allocation allocation) {
    List<String> all = new ArrayList<>();
    for (Allocation.Result r : allocation.results()) {
      String consumed =
          r.consumed().entrySet().stream()
              .map(e -> "%s=%dm".formatted(e.getKey(), Quantity.milli(e.getValue())))
              .sorted()
              .collect(Collectors.joining(" ", "[", "]"));
      all.add(
          "%s: %s admin %b shared %b %s"
              .formatted(r.request(), r.device(), r.adminAccess(), r.shared(), consumed));
    }
    if (allocation.nodes() != null) {
      for (NodeSelector.Term term : allocation.nodes().terms()) {
        Stream.concat(term.expressions().stream(), term.fields().stream())
            .forEach(r -> all.add("%s In [%s]".formatted(r.key(), String.join(" ", r.values()))));
      }
    }
    return all;
  }

  private Answer preemption(Decision decision, Answer answer) {
    DefaultPreemption preemption = decider.preemption(decision.pod());
    String notEligible = preemption.notEligible(decision.pod(), decision.judgement());
    Map<String, Answer.Eviction> candidates = new TreeMap<>();
    List<String> best = new ArrayList<>();
    if (notEligible == null) {
      List<Candidate> all = preemption.candidates(decision.pod(), decision.judgement(), null);
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
        notEligible,
        answer.idle(),
        answer.grants(),
        answer.clears(),
        "",
        Map.of());
  }

  private String name(Candidate candidate) {
    return cluster.nodes().node(candidate.node()).name();
  }
}
