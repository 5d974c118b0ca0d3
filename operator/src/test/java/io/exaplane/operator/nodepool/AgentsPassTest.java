// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static io.exaplane.api.v1alpha1.NodePoolCondition.AgentPolicyInForce;
import static io.exaplane.api.v1alpha1.NodePoolCondition.AgentsUpToDate;
import static io.exaplane.api.v1alpha1.NodePoolCondition.Ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.operator.nodepool.agents.PoolAgents.Seen;
import io.exaplane.operator.nodepool.agents.WaveReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What passes tell of agents, and for how long. */
class AgentsPassTest {
  private Passes passes;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
  }

  @AfterEach
  void end() throws InterruptedException {
    passes.close();
  }

  private static Seen seen(int updated, String problem) {
    return new Seen(
        Optional.of(
            new WaveReport(
                5,
                List.of(
                    new WaveReport.Agent(
                        new NodeAgentRef("ns", "cni"),
                        WaveReport.State.KNOWN,
                        5,
                        updated,
                        4,
                        0,
                        updated == 5 ? "" : "2026-11-28: Polling (40)",
                        updated == 5 ? "" : "ns/cni")),
                Optional.empty(),
                Optional.empty(),
                "",
                "")),
        Optional.of(problem),
        false);
  }

  @Test
  void agentsAreToldOfUntilTheyAreGivenBack() {
    String agents = "agents: {daemonSets: [{namespace: ns, name: cni}], admission: {mode: Warn}}";
    passes.spec("maxNodes: 10, %s, %s".formatted(NodePools.ADDRESSES, agents));
    NodePoolStatus status = passes.pass();
    assertThat(status.conditions().stream().map(each -> each.type()))
        .as("nobody has looked yet")
        .doesNotContain("AgentsUpToDate", "AgentPolicyInForce");
    passes.agents = seen(5, "W refuses. Change W.");
    status = passes.pass();
    assertThat(status.agents())
        .as("nothing found")
        .allMatch(each -> each.listsFindings() == null && each.serviceAccount() == null);
    assertThat(passes.condition(AgentsUpToDate)).isEqualTo("True/AsExpected");
    assertThat(passes.condition(AgentPolicyInForce)).isEqualTo("False/WriteRefused");
    passes.agents = seen(3, "");
    status = passes.pass();
    assertThat(passes.condition(AgentsUpToDate)).isEqualTo("False/AgentsRestarting");
    assertThat(passes.condition(AgentPolicyInForce)).isEqualTo("True/AsExpected");
    assertThat(passes.condition(Ready)).isEqualTo("False/AgentsRestarting");
    assertThat(status.agents())
        .containsExactly(
            new NodePoolStatus.Agent("ns", "cni", 5, 3, 4, "2026-11-28: Polling (40)", "ns/cni"));
    assertThat(passes.pass()).isEqualTo(status);
    passes.controlPlane("pausedUntil: '2030-01-01T00:00:00Z'", "{version: {current: 1.37.2}}");
    passes.agents = Seen.NOTHING;
    passes.pass();
    assertThat(passes.condition(AgentsUpToDate)).isEqualTo("Unknown/Paused");
    passes.controlPlane("", "{version: {current: 1.37.2}}");
    passes.spec("maxNodes: 10, " + NodePools.ADDRESSES);
    assertThat(passes.observe().hasAgents()).isTrue();
    status = passes.pass();
    assertThat(status.agents()).isNull();
    assertThat(status.conditions().stream().map(each -> each.type()))
        .as("the operator has still to give back")
        .contains("AgentsUpToDate", "AgentPolicyInForce");
    passes.agents = new Seen(Optional.empty(), Optional.of(""), true);
    status = passes.pass();
    assertThat(status.conditions().stream().map(each -> each.type()))
        .doesNotContain("AgentsUpToDate", "AgentPolicyInForce");
    assertThat(passes.observe().hasAgents()).isFalse();
  }

  @Test
  void theMeltdownGuardClosesTheGate() {
    passes.spec(
        "maxNodes: 10, agents: {daemonSets: [{namespace: ns, name: cni}]}, " + NodePools.ADDRESSES);
    assertThat(passes.observe().agents().closedBy()).isEmpty();
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, conditions: [{type: NodeEvictionsAllowed, status: 'False',"
            + " reason: LeasesMissed, message: m, lastTransitionTime: '2026-01-01T00:00:00Z'}]}");
    assertThat(passes.observe().agents().closedBy()).contains("meltdown guard");
  }
}
