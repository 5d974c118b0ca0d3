// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessTest {
  private static final Resource NEEDED = new Resource("v1", "Node", "nodes");
  private static final Resource OPTIONAL = new Resource("a.b/v1", "Group", "groups", true);

  private final ScriptedServer server = new ScriptedServer();

  private String trouble() throws InterruptedException {
    return Access.trouble(server, List.of(NEEDED, OPTIONAL));
  }

  @Test
  void whoMayReadAllMayBeInCharge() throws Exception {
    server.answer(200).answer(200);
    assertThat(trouble()).isNull();
    assertThat(server.asked)
        .containsExactly("/api/v1/nodes?limit=1", "/apis/a.b/v1/groups?limit=1");
  }

  @Test
  void whatTheServerDoesNotHaveNeedNotBeRead() throws Exception {
    server.answer(200).answer(404);
    assertThat(trouble()).isNull();
    server.answer(200).answer(403);
    server.answer(200, "{\"resources\": []}".getBytes(StandardCharsets.UTF_8));
    assertThat(trouble()).isNull();
  }

  @Test
  void whatMayNotBeReadIsNamed() throws Exception {
    server.answer(403, Wire.status(403, "no"));
    assertThat(trouble()).contains("GET /api/v1/nodes: status 403", "no");
    server.answer(200).answer(403, Wire.status(403, "no"));
    server.answer(
        200, "{\"resources\": [{\"name\": \"groups\"}]}".getBytes(StandardCharsets.UTF_8));
    assertThat(trouble()).contains("GET /apis/a.b/v1/groups: status 403");
    server.unreachable();
    assertThat(trouble()).contains("connection refused");
  }
}
