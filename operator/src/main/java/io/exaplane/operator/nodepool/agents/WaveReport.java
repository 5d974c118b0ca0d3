// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.exaplane.operator.nodepool.agents.WaveLedger.Hold;
import io.exaplane.operator.nodepool.agents.WaveLedger.Wave;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the agents of a pool, at one moment. Immutable; equal reports write no status.
 *
 * @param nodes of the pool, and those that it answers for
 * @param agents in the order of the spec
 * @param wave the present one
 * @param incident why waves are held
 * @param gate why the gate is closed now, or cannot be read; "" if it is open, or nobody asked
 * @param problem why the operator cannot do its part; "" if it can
 */
public record WaveReport(
    int nodes,
    List<Agent> agents,
    Optional<Now> wave,
    Optional<Incident> incident,
    String gate,
    String problem) {
  public WaveReport {
    agents = List.copyOf(agents);
  }

  /** What is told of an agent. */
  public enum State {
    MISSING,
    /** The operator or kube-controller-manager has something to do first. */
    WAITING,
    KNOWN
  }

  /**
   * An agent.
   *
   * @param nodes with a pod
   * @param updated those with a pod of the newest revision
   * @param ready those with a Ready pod
   * @param unreachable those with a pod of an earlier revision that are not Ready
   * @param findings of {@code exactl lists}; "" without any
   * @param account the ServiceAccount of its pods; "" if it is not known or shared
   */
  public record Agent(
      NodeAgentRef ref,
      State state,
      int nodes,
      int updated,
      int ready,
      int unreachable,
      String findings,
      String account) {}

  /**
   * The present wave.
   *
   * @param left nodes without a Ready pod of the new revision
   */
  public record Now(String agent, String zone, int nodes, int left) {}

  /**
   * Why waves are held.
   *
   * @param id what the annotation has to say
   * @param reason GateClosed or WaveNotReady
   * @param isManual whether only a person ends it
   */
  public record Incident(String id, Reason reason, String text, boolean isManual) {}

  static WaveReport of(
      WavePlanner.Input in,
      Optional<Wave> wave,
      Optional<Hold> hold,
      WaveGate.Verdict gate,
      int left) {
    return new WaveReport(
        in.nodes().size(),
        in.agents().stream().map(agent -> count(agent, in.nodes(), wave)).toList(),
        wave.map(one -> new Now(one.agent(), one.zone(), one.pods(), left)),
        hold.map(
            one ->
                new Incident(
                    one.id(),
                    one.reason(),
                    one.text(),
                    in.policy().mode() == NodeAgentsResume.Manual)),
        gate.isOpen() ? "" : gate.text(),
        "");
  }

  /** The same with a problem. */
  public WaveReport with(String trouble) {
    return new WaveReport(nodes, agents, wave, incident, gate, trouble);
  }

  private static Agent count(AgentSight agent, List<NodeSight> nodes, Optional<Wave> wave) {
    int all = 0;
    int updated = 0;
    int ready = 0;
    int unreachable = 0;
    boolean isOnItsWay = wave.filter(one -> one.agent().equals(agent.ref().text())).isPresent();
    for (NodeSight node : nodes) {
      List<AgentPod> pods = agent.on(node.name());
      if (pods.isEmpty()) {
        all += isOnItsWay && wave.get().nodes().contains(node.name()) ? 1 : 0;
        continue;
      }
      all++;
      boolean isUpdated = pods.stream().anyMatch(pod -> !pod.isLeaving() && agent.isCurrent(pod));
      updated += isUpdated ? 1 : 0;
      ready += pods.stream().anyMatch(AgentPod::isReady) ? 1 : 0;
      unreachable += !isUpdated && !node.ready() ? 1 : 0;
    }
    State state =
        switch (agent.state()) {
          case MISSING -> State.MISSING;
          case NOT_HELD, WAITING -> State.WAITING;
          case KNOWN -> State.KNOWN;
        };
    return new Agent(
        agent.ref(), state, all, updated, ready, unreachable, agent.findings(), agent.account());
  }
}
