// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.api.v1alpha1.NodeAgentsAdmissionMode;
import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.exaplane.operator.nodepool.agents.AgentPlan.PoolWaves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What rounds do in a cluster, in which order, and that nothing is done twice. */
class AgentRoundsTest {
  private static final Duration LONG = Duration.ofMinutes(20);

  private final FakeAgents cluster = new FakeAgents();
  private final List<String> told = new ArrayList<>();
  private AgentRounds operator = new AgentRounds(cluster, cluster, cluster.clock);

  private static PoolWaves pool(String name, String... agents) {
    return new PoolWaves(
        name,
        Arrays.stream(agents).map(agent -> new NodeAgentRef("ns", agent)).toList(),
        10,
        NodeAgentsGateSpec.of(null),
        NodeAgentsResume.Automatic,
        "");
  }

  private void plan(PoolWaves... pools) {
    operator.plan(new AgentPlan(List.of(pools), Optional.empty(), ""), told::add);
  }

  private void restart() {
    operator = new AgentRounds(cluster, cluster, cluster.clock);
  }

  private void agents(int nodes, String pool, String agent) {
    if (!cluster.sets.containsKey("ns/" + agent)) {
      cluster.set(agent, "RollingUpdate", "");
    }
    for (int i = 0; i < nodes; i++) {
      cluster.node(pool + i, pool);
      cluster.pod(agent, pool + i);
    }
  }

  @Test
  void aListedAgentIsHeldAndRestartsInWaves() {
    agents(20, "p", "cni");
    cluster.set("other", "RollingUpdate", "");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    assertThat(cluster.done("hold")).containsExactly("hold ns/cni");
    assertThat(cluster.sets.get("ns/cni").told()).contains("of NodePool p");
    assertThat(cluster.done("delete")).isEmpty();
    cluster.roll("cni", "b");
    cluster.go(operator, LONG);
    assertThat(cluster.old("cni")).isZero();
    assertThat(cluster.done("delete")).hasSize(20).doesNotHaveDuplicates();
    assertThat(told).contains("p");
    assertThat(operator.report("p").orElseThrow().agents().getFirst().updated()).isEqualTo(20);
    cluster.acts.removeIf(act -> act.startsWith("keep") || act.startsWith("policy"));
    int before = cluster.acts.size();
    cluster.go(operator, LONG);
    cluster.acts.removeIf(act -> act.startsWith("keep") || act.startsWith("policy"));
    assertThat(cluster.acts).as("nothing is left to do").hasSize(before);
  }

  @Test
  void whatExactlFoundStandsBesideItsAgent() {
    cluster.findings = "2026-11-28: Polling (4)";
    agents(2, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    assertThat(operator.report("p").orElseThrow().agents().getFirst().findings())
        .isEqualTo("2026-11-28: Polling (4)");
  }

  @Test
  void theLedgerIsWrittenBeforeAPodIsDeleted() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.refused.add("write");
    cluster.go(operator, Duration.ofMinutes(5));
    assertThat(cluster.done("delete")).isEmpty();
    assertThat(operator.report("p").orElseThrow().problem()).contains("forbidden by a webhook");
    cluster.refused.clear();
    cluster.go(operator, LONG);
    assertThat(cluster.old("cni")).isZero();
    assertThat(operator.report("p").orElseThrow().problem()).isEmpty();
  }

  @Test
  void ofTwoOperatorsTheOneWhoseLedgerIsOldDeletesNothing() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.isRaced = true;
    cluster.go(operator, Duration.ofMinutes(5));
    assertThat(cluster.done("delete")).isEmpty();
  }

  @Test
  void whoeverStartsAgainGoesOnWithTheShareOfBefore() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.go(operator, Duration.ofSeconds(5));
    assertThat(cluster.done("delete")).hasSize(2);
    restart();
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofSeconds(50));
    assertThat(cluster.done("delete")).hasSize(2);
    cluster.go(operator, LONG);
    assertThat(cluster.old("cni")).isZero();
    assertThat(cluster.done("delete")).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void twoPoolsThatNameTheSameAgentHaveASharEach() {
    agents(20, "p", "cni");
    agents(10, "q", "cni");
    agents(5, "r", "cni");
    plan(pool("p", "cni"), pool("q", "cni"), pool("r"));
    cluster.go(operator, Duration.ofMinutes(2));
    assertThat(cluster.sets.get("ns/cni").told()).contains("of NodePool p and q");
    assertThat(operator.report("p").orElseThrow().agents().getFirst().nodes())
        .as("with those of the pool that does not list it")
        .isEqualTo(25);
    assertThat(operator.report("q").orElseThrow().agents().getFirst().nodes()).isEqualTo(10);
    cluster.roll("cni", "b");
    cluster.go(operator, Duration.ofSeconds(5));
    assertThat(cluster.done("delete")).hasSize(3);
    cluster.go(operator, Duration.ofMinutes(30));
    assertThat(cluster.old("cni")).isZero();
    plan(pool("q", "cni"));
    cluster.go(operator, Duration.ofSeconds(5));
    assertThat(cluster.sets.get("ns/cni").told()).contains("of NodePool q to");
    assertThat(cluster.done("release")).isEmpty();
  }

  @Test
  void whatIsUnlistedIsGivenBackAlsoByAnOperatorThatWasAway() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    restart();
    operator.plan(AgentPlan.NONE, told::add);
    operator.leave("p");
    assertThat(operator.isGivenBack()).isFalse();
    cluster.go(operator, Duration.ofSeconds(10));
    assertThat(cluster.done("release")).containsExactly("release ns/cni");
    assertThat(cluster.ledgers).isEmpty();
    assertThat(operator.isGivenBack()).isTrue();
  }

  @Test
  void nothingIsGivenBackOfWhatNobodySees() {
    cluster.areListed = false;
    operator.plan(AgentPlan.NONE, told::add);
    cluster.go(operator, Duration.ofSeconds(10));
    assertThat(operator.isGivenBack()).isFalse();
  }

  @Test
  void anAgentThatIsDeletedInMidWaveAndComesBackIsHeldAgain() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.go(operator, Duration.ofSeconds(5));
    cluster.sets.clear();
    cluster.pods.clear();
    cluster.go(operator, Duration.ofSeconds(10));
    assertThat(operator.report("p").orElseThrow().agents().getFirst().state())
        .isEqualTo(WaveReport.State.MISSING);
    assertThat(operator.report("p").orElseThrow().wave()).isEmpty();
    agents(20, "p", "cni");
    cluster.go(operator, Duration.ofSeconds(10));
    assertThat(cluster.done("hold")).hasSize(2);
    assertThat(operator.report("p").orElseThrow().agents().getFirst().state())
        .isEqualTo(WaveReport.State.KNOWN);
  }

  @Test
  void aPoolWithoutNodesHoldsItsAgentAndRestartsThoseOfNobody() {
    agents(3, "", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.go(operator, LONG);
    assertThat(cluster.old("cni")).isZero();
  }

  @Test
  void whoeverSetsTheStrategyAgainAndAgainIsToldOf() {
    agents(3, "p", "cni");
    plan(pool("p", "cni"));
    for (int i = 0; i < 300; i++) {
      cluster.go(operator, Duration.ofSeconds(1));
      cluster.set("cni", "RollingUpdate", cluster.sets.get("ns/cni").told());
    }
    assertThat(cluster.done("hold").size()).isBetween(5, 12);
    cluster.go(operator, Duration.ofMinutes(2));
    assertThat(operator.report("p").orElseThrow().problem())
        .contains("another program has set updateStrategy");
    cluster.go(operator, LONG);
    assertThat(operator.report("p").orElseThrow().problem()).as("long ago").isEmpty();
  }

  @Test
  void aStrategyThatCannotBeSetIsToldOfAndNothingRestarts() {
    agents(3, "p", "cni");
    cluster.refused.add("hold");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.go(operator, LONG);
    assertThat(cluster.done("delete")).isEmpty();
    assertThat(operator.report("p").orElseThrow().problem()).startsWith("DaemonSet ns/cni: ");
  }

  @Test
  void aDeletionThatIsRefusedIsToldOfAndTriedAgain() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    cluster.roll("cni", "b");
    cluster.refused.add("delete");
    cluster.go(operator, Duration.ofMinutes(10));
    assertThat(operator.report("p").orElseThrow().problem()).contains("forbidden by a webhook");
    cluster.refused.clear();
    cluster.go(operator, LONG);
    assertThat(cluster.old("cni")).isZero();
    assertThat(cluster.done("delete")).hasSize(20);
  }

  @Test
  void aDamagedLedgerIsMadeAnewAndCostsAMinute() {
    agents(20, "p", "cni");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofMinutes(2));
    restart();
    cluster.ledgers.clear();
    cluster.roll("cni", "b");
    plan(pool("p", "cni"));
    cluster.go(operator, Duration.ofSeconds(55));
    assertThat(cluster.done("delete")).isEmpty();
    cluster.go(operator, LONG);
    assertThat(cluster.old("cni")).isZero();
  }

  @Test
  void thePolicyIsKeptAndItsRefusalToldOf() {
    Policy policy = new Policy(NodeAgentsAdmissionMode.Deny, 10, List.of(), List.of("p"));
    operator.plan(new AgentPlan(List.of(), Optional.of(policy), ""), told::add);
    assertThat(operator.policyProblem()).isEmpty();
    cluster.refused.add("policy");
    cluster.go(operator, Duration.ofSeconds(2));
    assertThat(operator.policyProblem().orElseThrow()).contains("forbidden by a webhook");
    assertThat(told).containsExactly("p");
    cluster.refused.clear();
    cluster.go(operator, Duration.ofSeconds(90));
    assertThat(operator.policyProblem()).contains("");
    assertThat(cluster.done("policy").size()).isBetween(2, 4);
    operator.plan(AgentPlan.NONE, told::add);
    cluster.go(operator, Duration.ofSeconds(2));
    assertThat(cluster.done("policy").getLast()).isEqualTo("policy none");
    assertThat(operator.isGivenBack()).isTrue();
  }
}
