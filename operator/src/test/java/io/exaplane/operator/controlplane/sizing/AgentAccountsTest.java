// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Agents that pools list share a priority level, without a word in the ControlPlane. */
class AgentAccountsTest {
  private static NodePool pool(String... accounts) {
    StringBuilder agents = new StringBuilder();
    for (String account : accounts) {
      agents
          .append("{namespace: ns, name: cni, nodes: 1, updated: 1, ready: 1, serviceAccount: ")
          .append(account)
          .append("},");
    }
    return Serialization.unmarshal(
        "metadata: {name: p}\nspec: {maxNodes: 1}\nstatus: {agents: [%s]}".formatted(agents),
        NodePool.class);
  }

  private static Tuned tuned(ControlPlane controlPlane, List<String> agents) {
    return Sized.of(
            controlPlane,
            true,
            false,
            new Sized.Before(
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                () -> List.of(Sizes.LARGE),
                Optional::empty,
                agents),
            Instant.EPOCH)
        .tuned()
        .orElseThrow();
  }

  /** Who has the level of agents. */
  private static List<String> agents(Tuned tuned) {
    JsonNode manifests = new ObjectMapper().valueToTree(tuned.flowControl());
    List<String> accounts = new ArrayList<>();
    for (JsonNode manifest : manifests) {
      if (manifest.at("/spec/priorityLevelConfiguration/name").asText().equals("exaplane-agents")) {
        manifest
            .findValues("serviceAccount")
            .forEach(
                one ->
                    accounts.add(one.path("namespace").asText() + "/" + one.path("name").asText()));
      }
    }
    return accounts;
  }

  @Test
  void accountsAreThoseOfAllPools() {
    NodePool unseen = pool();
    unseen.setStatus(null);
    assertThat(
            AgentAccounts.of(
                List.of(
                    pool("ns/cni", "null"),
                    pool("kube-system/a", "ns/cni"),
                    unseen,
                    pool("'a b'"))))
        .containsExactly("kube-system/a", "ns/cni");
  }

  /** A DaemonSet with another account must not restart a control plane. */
  @Test
  void theyGetALevelAndNoFlagChanges() {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 2000, sizing: {agents: [ns/cni, ns/telemetry]}}");
    Tuned own = tuned(controlPlane, List.of());
    Tuned with = tuned(controlPlane, List.of("kube-system/a", "ns/cni"));
    assertThat(agents(with)).containsExactly("ns/cni", "ns/telemetry", "kube-system/a");
    assertThat(agents(own)).containsExactly("ns/cni", "ns/telemetry");
    for (Component component : Component.values()) {
      assertThat(with.flags(component)).as(component.label()).isEqualTo(own.flags(component));
    }
    assertThat(agents(tuned(Sizes.spec(100), List.of()))).isEmpty();
    assertThat(agents(tuned(Sizes.spec(100), List.of("ns/cni")))).containsExactly("ns/cni");
  }
}
