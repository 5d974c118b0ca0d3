// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A hosted cluster with agents, in memory; an operator that dies leaves what is stored. */
final class FakeAgents implements AgentWorld, AgentPort {
  final Map<String, AgentSet> sets = new TreeMap<>();
  final Map<String, NodeSight> nodes = new TreeMap<>();
  final Map<String, AgentPods> pods = new HashMap<>();
  final Map<String, String> revisions = new HashMap<>();
  final Map<String, Stored> ledgers = new TreeMap<>();

  /**
   * What was done, in order, as "write p", "delete pod-n1", "hold …", "release …", "policy Deny".
   */
  final List<String> acts = new ArrayList<>();

  /** Kinds of acts that the API refuses. */
  final List<String> refused = new ArrayList<>();

  /** Whether somebody else writes each ledger in the same moment. */
  boolean isRaced;

  boolean areListed = true;
  Instant now = Waves.START;

  /** What {@code exactl lists} found about each agent. */
  String findings = "";

  final Clock clock = time(() -> now);
  private int versions;

  private static Clock time(InstantSource source) {
    return source.withZone(ZoneOffset.UTC);
  }

  void node(String name, String pool) {
    nodes.put(name, new NodeSight(name, pool, "", true, Waves.START));
  }

  void set(String name, String strategy, String told) {
    sets.put(
        "ns/" + name,
        new AgentSet(
            "ns",
            name,
            "uid-" + name,
            "1",
            1,
            true,
            strategy,
            told,
            new LabelSelector(),
            0,
            false,
            findings,
            "ns/" + name));
    revisions.putIfAbsent("uid-" + name, "a");
    pods.computeIfAbsent("uid-" + name, uid -> new AgentPods(uid, () -> {}, clock));
  }

  /** A Ready pod of an agent on a node, of the agent's present revision. */
  void pod(String agent, String node) {
    String uid = "uid-" + agent;
    pods.get(uid).put(agent + node, pod(agent, node, revisions.get(uid), ++versions));
  }

  private static Pod pod(String agent, String node, String revision, int number) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(agent + "-" + node)
        .withUid("pod-" + number)
        .addToLabels("controller-revision-hash", revision)
        .addNewOwnerReference()
        .withUid("uid-" + agent)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }

  /** The user changes the template. */
  void roll(String agent, String revision) {
    AgentSet set = sets.get("ns/" + agent);
    revisions.put(set.uid(), revision);
    sets.put("ns/" + agent, changed(set, set.generation() + 1, set.strategy(), set.told()));
  }

  private static AgentSet changed(AgentSet set, long generation, String strategy, String told) {
    return new AgentSet(
        set.namespace(),
        set.name(),
        set.uid(),
        set.resourceVersion(),
        generation,
        true,
        strategy,
        told,
        set.selector(),
        0,
        false,
        set.findings(),
        set.account());
  }

  long old(String agent) {
    return pods.get("uid-" + agent).byNode().values().stream()
        .flatMap(List::stream)
        .filter(pod -> !pod.revision().equals(revisions.get("uid-" + agent)))
        .count();
  }

  /** Rounds each second for a while. */
  void go(AgentRounds operator, Duration time) {
    for (long i = 0; i < time.toSeconds(); i++) {
      int rounds = 0;
      while (operator.round().isZero() && ++rounds < 20) {}
      now = now.plusSeconds(1);
    }
  }

  List<String> done(String kind) {
    return acts.stream().filter(act -> act.startsWith(kind)).toList();
  }

  private void act(String what) {
    if (refused.contains(what.substring(0, what.indexOf(' ')))) {
      throw new KubernetesClientException("forbidden by a webhook", 403, null);
    }
    acts.add(what);
  }

  @Override
  public Optional<Collection<AgentSet>> sets() {
    return areListed ? Optional.of(sets.values()) : Optional.empty();
  }

  @Override
  public Optional<List<NodeSight>> nodes() {
    return Optional.of(List.copyOf(nodes.values()));
  }

  @Override
  public Optional<AgentPods> pods(AgentSet set) {
    return Optional.ofNullable(pods.get(set.uid()));
  }

  @Override
  public void keep(Collection<String> uids) {
    acts.add("keep " + uids.stream().sorted().toList());
  }

  @Override
  public Optional<GateReading> gate() {
    return Optional.of(new GateReading(now, "", 5, 0, OptionalInt.of(100)));
  }

  @Override
  public Optional<Stored> ledger(String pool) {
    return Optional.ofNullable(ledgers.get(pool));
  }

  @Override
  public Optional<Stored> write(String pool, Optional<Stored> before, WaveLedger ledger) {
    act("write " + pool);
    if (isRaced) {
      ledgers.computeIfPresent(pool, (_, stored) -> new Stored(stored.ledger(), "v" + ++versions));
    }
    Stored there = ledgers.get(pool);
    if (there != null && !there.version().equals(before.map(Stored::version).orElse(""))) {
      return Optional.empty();
    }
    Stored stored = new Stored(WaveLedger.parse(ledger.text()).orElseThrow(), "v" + ++versions);
    ledgers.put(pool, stored);
    return Optional.of(new Stored(ledger, stored.version()));
  }

  @Override
  public void forget(String pool) {
    act("forget " + pool);
    ledgers.remove(pool);
  }

  @Override
  public void hold(AgentSet set, String sentence) {
    act("hold " + set.text());
    sets.put(set.text(), changed(set, set.generation(), AgentSet.ON_DELETE, sentence));
  }

  @Override
  public void release(AgentSet set) {
    act("release " + set.text());
    sets.put(set.text(), changed(set, set.generation(), "RollingUpdate", ""));
  }

  @Override
  public Optional<String> revision(AgentSet set) {
    return Optional.ofNullable(revisions.get(set.uid()));
  }

  @Override
  public Deletions delete(List<WavePlanner.Deletion> deletions) {
    Map<String, Deleted> done = new HashMap<>();
    for (WavePlanner.Deletion each : deletions) {
      try {
        act("delete " + each.pod().uid());
      } catch (KubernetesClientException e) {
        return new Deletions(done, Optional.of(e.getMessage()));
      }
      done.put(each.pod().uid(), Deleted.DONE);
      // The controller makes the next one; its kubelet says that it is Ready.
      pods.get(each.agent().uid())
          .put(
              each.agent().ref().name() + each.pod().node(),
              pod(
                  each.agent().ref().name(),
                  each.pod().node(),
                  each.agent().revision(),
                  ++versions));
    }
    return new Deletions(done, Optional.empty());
  }

  @Override
  public void policy(Optional<Policy> policy) {
    act("policy " + policy.map(Policy::mode).map(Enum::name).orElse("none"));
  }
}
