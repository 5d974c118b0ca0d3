// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deletions of which the API refuses some. */
class SilentNodesTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  @Test
  void whatIsDeletedBeforeARefusalIsNamed() throws IOException {
    List<SilentNode> due =
        List.of(
            new SilentNode("a", "7", NOW),
            new SilentNode("b", "7", NOW),
            new SilentNode("c", "7", NOW));
    SilentNodes nodes = new SilentNodes();
    try (AnsweringApi api =
        new AnsweringApi(
            asked ->
                asked.reads() || asked.path().endsWith("/b")
                    ? new Answer(
                        asked.reads() ? 404 : 403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"no\"}")
                    : new Answer(200, "{\"kind\":\"Node\",\"apiVersion\":\"v1\"}"))) {
      assertThat(nodes.delete(due, NOW, api.client())).as("the first look").isEmpty();
      Instant later = NOW.plus(RepairPlan.STILL);
      assertThat(nodes.delete(due, later, api.client())).containsExactly("a");
      assertThatThrownBy(() -> nodes.delete(due.subList(1, 3), later, api.client()))
          .isInstanceOf(KubernetesClientException.class);
    }
  }
}
