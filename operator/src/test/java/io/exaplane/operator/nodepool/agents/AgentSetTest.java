// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentSetTest {
  private static DaemonSet annotated(String findings) {
    return new DaemonSetBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName("cni")
        .withUid("u")
        .addToAnnotations(NodePoolNames.LISTS_FINDINGS, findings)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  @Test
  void whatExactlFoundIsKept() {
    String findings = "2026-11-28: StoreReads (12), Polling (40)";
    assertThat(AgentSet.of(annotated(findings)).findings()).isEqualTo(findings);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "call 555-1234",
        "2026-11-28: <b>Polling</b> (4)",
        "2026-11-28: Polling (4)\nReady: True",
        "2026-11-28: Polling (4), ",
        "2026-11-28: Polling"
      })
  void whatSomebodyElseWroteIsNotShown(String annotation) {
    assertThat(AgentSet.of(annotated(annotation)).findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"cilium, ns/cilium", "default, ''", "'', ''", ", ''"})
  void theAccountOfThePodsIsKept(String name, String account) {
    DaemonSet set =
        annotated("")
            .edit()
            .editSpec()
            .withNewTemplate()
            .withNewSpec()
            .withServiceAccountName(name)
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    assertThat(AgentSet.of(set).account()).isEqualTo(account);
    AtomicInteger signals = new AtomicInteger();
    AgentSets sets = new AgentSets(signals::incrementAndGet);
    sets.put("ns/cni", annotated(""));
    sets.put("ns/cni", set);
    assertThat(signals).as("another account").hasValue(account.isEmpty() ? 1 : 2);
  }

  @Test
  void longOnesAreNotShown() {
    String many = "2026-11-28: A (1)" + ", B (2)".repeat(100);
    assertThat(AgentSet.of(annotated(many)).findings()).isEmpty();
  }

  @Test
  void anotherFindingIsAReasonToLook() {
    AtomicInteger signals = new AtomicInteger();
    AgentSets sets = new AgentSets(signals::incrementAndGet);
    sets.put("ns/cni", annotated("2026-11-28: Polling (4)"));
    sets.put("ns/cni", annotated("2026-11-28: Polling (4)"));
    assertThat(signals).hasValue(1);
    sets.put("ns/cni", annotated("2026-11-29: Polling (5)"));
    assertThat(signals).hasValue(2);
  }
}
