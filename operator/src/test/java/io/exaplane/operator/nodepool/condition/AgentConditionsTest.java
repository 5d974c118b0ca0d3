// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodeAgentsAdmissionMode;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.exaplane.operator.nodepool.agents.WaveReport;
import io.exaplane.operator.nodepool.agents.WaveReport.Agent;
import io.exaplane.operator.nodepool.agents.WaveReport.Incident;
import io.exaplane.operator.nodepool.agents.WaveReport.Now;
import io.exaplane.operator.nodepool.agents.WaveReport.State;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Verdict;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the two conditions about agents say, with numbers and the next action. */
class AgentConditionsTest {
  private static final String ID = "2026-11-28T00:00:00Z";
  private static final Optional<Now> WAVE = Optional.of(new Now("ns/cni", "east", 10, 3));

  private static void says(WaveReport report, boolean met, Reason reason, String... said) {
    Verdict verdict = AgentsUpToDateCondition.of(NodePools.pool("maxNodes: 10"), report);
    // Asserts that the next action is named.
    new ConditionSet(List.of(), 1L, Clock.systemUTC())
        .set(NodePoolCondition.AgentsUpToDate, verdict);
    assertThat(verdict.met()).as(verdict.toString()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(said);
  }

  private static Agent agent(State state, int nodes, int updated, int unreachable) {
    return new Agent(
        new NodeAgentRef("ns", "cni"), state, nodes, updated, nodes, unreachable, "", "");
  }

  private static WaveReport report(
      Agent agent, Optional<Now> wave, Optional<Incident> incident, String gate) {
    return new WaveReport(20, List.of(agent), wave, incident, gate, "");
  }

  private static Optional<Incident> incident(Reason reason, boolean isManual) {
    return Optional.of(new Incident(ID, reason, "p99 is 3000 ms", isManual));
  }

  @Test
  void allIsUpToDate() {
    says(
        report(agent(State.KNOWN, 20, 20, 0), Optional.empty(), Optional.empty(), ""),
        true,
        Reason.AsExpected,
        "ns/cni is up to date on 20 nodes.");
    says(
        new WaveReport(
            0, List.of(agent(State.KNOWN, 0, 0, 0)), Optional.empty(), Optional.empty(), "", ""),
        true,
        Reason.NoNodes,
        "No node has joined yet.");
  }

  @Test
  void wavesAreCounted() {
    says(
        report(agent(State.KNOWN, 20, 7, 0), WAVE, Optional.empty(), ""),
        false,
        Reason.AgentsRestarting,
        "ns/cni is up to date on 7 of 20 nodes.",
        "The present wave of ns/cni has 10 nodes of zone east, of which 3 have no Ready pod yet.");
    says(
        report(agent(State.KNOWN, 20, 7, 0), Optional.empty(), Optional.empty(), "nobody looked"),
        false,
        Reason.AgentsRestarting,
        "The gate is not open: nobody looked.");
    says(
        report(agent(State.KNOWN, 20, 20, 0), WAVE, Optional.empty(), ""),
        false,
        Reason.AgentsRestarting,
        "All pods have the newest revision.");
  }

  @Test
  void whatIsMissingOrUnknownIsNamed() {
    says(
        report(agent(State.MISSING, 0, 0, 0), WAVE, Optional.empty(), ""),
        false,
        Reason.AgentNotFound,
        "DaemonSet ns/cni does not exist in the hosted cluster. Create the DaemonSet, or remove",
        "The other agents continue.");
    says(
        report(agent(State.WAITING, 0, 0, 0), Optional.empty(), Optional.empty(), ""),
        false,
        Reason.AgentsWaiting,
        "the newest template of ns/cni. No action is needed.");
    says(
        report(agent(State.KNOWN, 20, 18, 2), Optional.empty(), Optional.empty(), ""),
        false,
        Reason.NodesNotReady,
        "2 agents have an earlier revision, since their nodes are not Ready.");
    says(
        report(agent(State.KNOWN, 20, 18, 2), Optional.empty(), Optional.empty(), "")
            .with("W refuses. Change W."),
        false,
        Reason.WriteRefused,
        "The operator cannot restart agents. W refuses.");
  }

  @Test
  void aHoldSaysWhyAndHowItEnds() {
    Agent some = agent(State.KNOWN, 20, 7, 0);
    says(
        report(some, WAVE, incident(Reason.GateClosed, false), "p99 is 2000 ms"),
        false,
        Reason.GateClosed,
        "held since " + ID + ": p99 is 3000 ms. Now p99 is 2000 ms. Check the load");
    says(
        report(some, WAVE, incident(Reason.GateClosed, false), ""),
        false,
        Reason.GateClosed,
        "The gate is open again, and the operator continues after some good checks.");
    says(
        report(some, WAVE, incident(Reason.GateClosed, true), ""),
        false,
        Reason.ResumeNeeded,
        "run 'kubectl -n ns annotate npool workers --overwrite exaplane.io/resume-agents=" + ID);
    says(
        report(some, WAVE, incident(Reason.WaveNotReady, false), ""),
        false,
        Reason.WaveNotReady,
        "Check these pods",
        "To continue without them, run 'kubectl -n ns annotate npool workers");
  }

  @Test
  void thePolicyIsInForceOrNot() {
    Policy one = new Policy(NodeAgentsAdmissionMode.Deny, 10, List.of("a/b"), List.of("workers"));
    Policy two =
        new Policy(NodeAgentsAdmissionMode.Deny, 10, List.of(), List.of("edge", "workers"));
    Verdict verdict = AgentPolicyInForceCondition.of(one, "");
    ConditionSet set = new ConditionSet(List.of(), 1L, Clock.systemUTC());
    set.set(NodePoolCondition.AgentPolicyInForce, verdict);
    assertThat(verdict.message())
        .isEqualTo("The mode is Deny, the share is 10 %, and 1 DaemonSets are exempt.");
    assertThat(AgentPolicyInForceCondition.of(two, "").message())
        .endsWith(
            "the strictest mode of the NodePools edge, workers, with the smallest share and all"
                + " exemptions.");
    Verdict refused = AgentPolicyInForceCondition.of(one, "W refuses. Change W.");
    set.set(NodePoolCondition.AgentPolicyInForce, refused);
    assertThat(refused.met()).isFalse();
    assertThat(refused.reason()).isEqualTo(Reason.WriteRefused);
  }
}
