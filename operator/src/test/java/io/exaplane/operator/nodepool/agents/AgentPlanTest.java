// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodeAgentsAdmissionMode;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.nodepool.agents.AgentPlan.Policy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the pools of a cluster ask for together. */
class AgentPlanTest {
  private static NodePool pool(String name, String agents) {
    return NodePools.pool(
        name, "2026-01-01T00:00:00Z", "maxNodes: 10, agents: {%s}".formatted(agents));
  }

  @Test
  void theStrictestModeTheSmallestShareAndAllExemptionsHold() {
    AgentPlan plan =
        AgentPlan.of(
            List.of(
                pool("z", "admission: {mode: Warn, exempt: [{namespace: b, name: y}]}"),
                pool(
                    "a",
                    "maxPercentPerMinute: 5, admission: {mode: Deny, exempt: [{namespace: a, name: x}, {namespace: b, name: y}]}"),
                pool("k", "maxPercentPerMinute: 1, daemonSets: [{namespace: c, name: d}]"),
                NodePools.pool("maxNodes: 10")),
            "");
    assertThat(plan.policy())
        .contains(
            new Policy(NodeAgentsAdmissionMode.Deny, 5, List.of("a/x", "b/y"), List.of("a", "z")));
    assertThat(plan.pools()).hasSize(1);
    assertThat(plan.pools().getFirst().percentPerMinute()).isOne();
    assertThat(plan.pools().getFirst().gate().maxRequestP99Millis()).isEqualTo(1000);
  }

  @Test
  void poolsWithoutAgentsAskForNothing() {
    assertThat(AgentPlan.of(List.of(NodePools.pool("maxNodes: 10")), "")).isEqualTo(AgentPlan.NONE);
  }

  @Test
  void theWordOfAPersonIsPartOfThePlan() {
    NodePool pool = pool("a", "daemonSets: [{namespace: c, name: d}]");
    pool.getMetadata().setAnnotations(Map.of("exaplane.io/resume-agents", " 2026 "));
    assertThat(AgentPlan.of(List.of(pool), "").pools().getFirst().resume()).isEqualTo("2026");
  }

  @Test
  void thePolicySaysShareModeAndExemptions() {
    List<?> objects =
        AgentPolicy.objects(
            new Policy(NodeAgentsAdmissionMode.Warn, 7, List.of("a/x", "b/y"), List.of("a")));
    ValidatingAdmissionPolicy policy = (ValidatingAdmissionPolicy) objects.getFirst();
    ValidatingAdmissionPolicyBinding binding = (ValidatingAdmissionPolicyBinding) objects.get(1);
    assertThat(binding.getSpec().getValidationActions()).containsExactly("Warn");
    assertThat(policy.getSpec().getMatchConditions().get(1).getExpression())
        .endsWith("in ['a/x', 'b/y'])");
    assertThat(policy.getSpec().getValidations().get(1).getExpression()).contains("<= 7");
    assertThat(policy.getSpec().getValidations().get(1).getMessage()).contains("set '7%'");
    assertThat(policy.toString()).doesNotContain("$");
  }

  @Test
  void aLedgerIsReadAsItWasWritten() {
    WaveLedger ledger =
        new WaveLedger(
            List.of(new WaveLedger.Spent(Waves.START, 3)),
            Optional.of(
                new WaveLedger.Wave(
                    "ns/cni",
                    "uid",
                    "b",
                    "east",
                    Waves.START,
                    Waves.START.plusSeconds(15),
                    true,
                    2,
                    NodeSet.of(List.of("n1", "n2")))),
            Optional.of(
                new WaveLedger.Hold(
                    Waves.START, io.exaplane.api.v1alpha1.Reason.WaveNotReady, "why")),
            "word");
    assertThat(WaveLedger.parse(ledger.text())).contains(ledger);
    assertThat(ledger.wave().orElseThrow().nodes().contains("n1")).isTrue();
    assertThat(ledger.wave().orElseThrow().nodes().contains("n3")).isFalse();
    for (String damaged :
        List.of("", "[]", "{\"spent\": [{\"until\": 3}]}", "{\"wave\": {}}", "{")) {
      assertThat(WaveLedger.parse(damaged)).as(damaged).isEmpty();
    }
  }
}
