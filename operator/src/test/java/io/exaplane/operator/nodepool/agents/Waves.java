// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.exaplane.operator.nodepool.agents.AgentPlan.PoolWaves;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One agent on the nodes of a pool, whose planner a test drives step by step; pods come back after
 * a while. One thread.
 */
final class Waves {
  static final Instant START = Instant.parse("2026-11-28T00:00:00Z");
  static final NodeAgentRef REF = new NodeAgentRef("kube-system", "cilium");
  static final Duration COMES_BACK = Duration.ofSeconds(3);

  /** A deletion that happened. */
  record Restart(Instant at, String node, String zone) {}

  final Map<String, NodeSight> nodes = new TreeMap<>();
  final Map<String, AgentPod> pods = new TreeMap<>();
  final List<Restart> restarts = new ArrayList<>();
  Instant now = START.plusSeconds(120);
  WaveState state = WaveState.begin(new WaveLedger(List.of(), none(), none(), ""), now);
  int percent = 10;
  NodeAgentsResume mode = NodeAgentsResume.Automatic;
  NodeAgentsGateSpec gateSpec = NodeAgentsGateSpec.of(null);
  String resume = "";
  WaveGate.State gate = WaveGate.State.OPEN;
  String revision = "a";
  String uid = "uid-cilium";
  AgentSight.State known = AgentSight.State.KNOWN;
  boolean isListed = true;

  /** Nodes whose new pod does not get Ready. */
  Predicate<String> sick = _ -> false;

  WaveReport report;
  private int made;

  private static <T> Optional<T> none() {
    return Optional.empty();
  }

  /** Nodes of a zone, each with a Ready pod of the revision a. */
  static Waves of(int nodes, String... zones) {
    Waves waves = new Waves();
    for (int i = 0; i < nodes; i++) {
      waves.node("n%05d".formatted(i), zones.length == 0 ? "" : zones[i % zones.length]);
    }
    return waves;
  }

  void node(String name, String zone) {
    nodes.put(name, new NodeSight(name, "p", zone, true, START));
    pods.put(name, pod(name, START));
  }

  void ready(String name, boolean ready) {
    NodeSight node = nodes.get(name);
    nodes.put(name, new NodeSight(name, node.pool(), node.zone(), ready, now));
  }

  private AgentPod pod(String node, Instant ready) {
    return new AgentPod("pod-" + node, "uid-" + ++made, node, revision, false, ready);
  }

  /** One step; what it deletes comes back later. Whoever writes the ledger does so at once. */
  Duration step() {
    WavePlanner.Step step = WavePlanner.step(input());
    state = step.state();
    report = step.report();
    for (WavePlanner.Deletion each : step.deletions()) {
      String node = each.pod().node();
      if (!pods.get(node).uid().equals(each.pod().uid())) {
        throw new IllegalStateException(node + " is deleted twice");
      }
      restarts.add(new Restart(now, node, nodes.get(node).zone()));
      pods.put(node, pod(node, sick.test(node) ? Instant.MAX : now.plus(COMES_BACK)));
    }
    return step.again();
  }

  private WavePlanner.Input input() {
    Map<String, List<AgentPod>> byNode = new HashMap<>();
    pods.forEach(
        (node, pod) -> {
          boolean isReady = !pod.readySince().isAfter(now);
          byNode.put(
              node,
              List.of(
                  new AgentPod(
                      pod.name(),
                      pod.uid(),
                      node,
                      pod.revision(),
                      pod.isLeaving(),
                      isReady ? pod.readySince() : Instant.MAX)));
        });
    AgentSight agent = new AgentSight(REF, known, uid, revision, 0, "", "", byNode);
    return new WavePlanner.Input(
        new PoolWaves("p", List.of(REF), percent, gateSpec, mode, resume),
        List.copyOf(nodes.values()),
        isListed ? List.of(agent) : List.of(),
        () ->
            new WaveGate.Verdict(
                gate, gate == WaveGate.State.OPEN ? "" : "p99 is 3000 ms", now.minusMillis(1)),
        state,
        now);
  }

  /** Steps each second for a while. */
  Waves go(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      int steps = 0;
      while (step().isZero()) {
        if (++steps > 10) {
          throw new IllegalStateException("the ledger changes for ever");
        }
      }
      now = now.plusSeconds(1);
    }
    return this;
  }

  /** The operator dies; what is left is the ledger, as it is stored. */
  void restart() {
    state = WaveState.begin(WaveLedger.parse(state.ledger().text()).orElseThrow(), now);
  }

  long old() {
    return pods.values().stream().filter(pod -> !pod.revision().equals(revision)).count();
  }

  /** The most restarts within any 60 seconds. */
  int most() {
    int most = 0;
    int first = 0;
    for (int i = 0; i < restarts.size(); i++) {
      while (!restarts.get(first).at().plusSeconds(60).isAfter(restarts.get(i).at())) {
        first++;
      }
      most = Math.max(most, i - first + 1);
    }
    return most;
  }
}
