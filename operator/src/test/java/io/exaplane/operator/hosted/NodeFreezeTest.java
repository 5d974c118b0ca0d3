// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is asked of the hosted API; what kube-controller-manager makes of it, a process test says.
 */
class NodeFreezeTest {
  private static final String POLICY =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/exaplane-node-freeze";
  private static final String BINDING =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/exaplane-node-freeze";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

  private final Map<String, String> answers = Collections.synchronizedMap(new TreeMap<>());
  private final List<String> writes = Collections.synchronizedList(new ArrayList<>());
  private int patchStatus = 200;
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getPath();
    String query = exchange.getRequestURI().getQuery();
    int status = 200;
    String answer = "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}";
    if (exchange.getRequestMethod().equals("GET")) {
      boolean isNext = query != null && query.contains("continue=more");
      answer = answers.getOrDefault(isNext ? path + "+" : path, answer);
      status = answers.containsKey(path) ? 200 : 404;
    } else {
      writes.add(exchange.getRequestMethod() + " " + path + " " + body);
      if (exchange.getRequestMethod().equals("PATCH")) {
        status = patchStatus;
        answer = patchStatus == 200 && body.startsWith("{") ? body : answer;
      }
    }
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String object(String kind) {
    return """
        {"kind":"%s","apiVersion":"admissionregistration.k8s.io/v1","metadata":{"name":"exaplane-node-freeze"}}
        """
        .formatted(kind);
  }

  private static String node(String name, String taints) {
    return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(name, taints);
  }

  private static String nodes(String next, String... items) {
    return """
        {"kind":"NodeList","apiVersion":"v1","metadata":{"continue":"%s"},"items":[%s]}
        """
        .formatted(next, String.join(",", items));
  }

  @Test
  void theObjectsAreTheState() {
    assertThat(NodeFreeze.look(client)).isEqualTo(NodeFreeze.State.NONE);
    answers.put(POLICY, object("ValidatingAdmissionPolicy"));
    assertThat(NodeFreeze.look(client)).isEqualTo(NodeFreeze.State.RELEASED);
    answers.put(BINDING, object("ValidatingAdmissionPolicyBinding"));
    assertThat(NodeFreeze.look(client)).isEqualTo(NodeFreeze.State.FROZEN);
    assertThat(writes).isEmpty();
  }

  @Test
  void thePolicyComesBeforeItsBindingAndGoesAfterIt() {
    NodeFreeze.freeze(client);
    assertThat(writes).hasSize(2);
    assertThat(writes.get(0)).startsWith("PATCH " + POLICY).contains("node-controller");
    assertThat(writes.get(1)).startsWith("PATCH " + BINDING).contains("Deny");
    writes.clear();
    NodeFreeze.release(client);
    assertThat(writes).singleElement().asString().startsWith("DELETE " + BINDING);
  }

  @Test
  void taintsOfNodesThatAreNotReadyAreTouchedPageByPage() {
    answers.put(
        "/api/v1/nodes",
        nodes(
            "more",
            node("well", ""),
            node("cordoned", "\"taints\":[{\"key\":\"a\",\"effect\":\"NoExecute\"}]")));
    answers.put(
        "/api/v1/nodes+",
        nodes(
            "",
            node(
                "dead",
                "\"taints\":[{\"key\":\"node.kubernetes.io/unreachable\",\"effect\":\"NoSchedule\"},"
                    + "{\"key\":\"node.kubernetes.io/unreachable\",\"effect\":\"NoExecute\"}]")));
    answers.put("/api/v1/nodes/dead", node("dead", ""));
    assertThat(NodeFreeze.repeatEvictions(client, NOW)).isEqualTo(1);
    assertThat(writes).hasSize(2);
    assertThat(writes.getFirst())
        .startsWith("PATCH /api/v1/nodes/dead")
        .contains("/spec/taints/1/timeAdded", "2026-01-01T00:00:00Z")
        .doesNotContain("/spec/taints/0/");
    assertThat(writes.getLast()).startsWith("DELETE " + POLICY);
  }

  @Test
  void aNodeThatChangedMeanwhileIsLeftAndAnotherFailureIsTriedAgain() {
    answers.put(
        "/api/v1/nodes",
        nodes(
            "",
            node(
                "dead",
                "\"taints\":[{\"key\":\"node.kubernetes.io/not-ready\",\"effect\":\"NoExecute\"}]")));
    assertThat(NodeFreeze.repeatEvictions(client, NOW)).as("it is gone").isZero();
    answers.put("/api/v1/nodes/dead", node("dead", ""));
    patchStatus = 422;
    assertThat(NodeFreeze.repeatEvictions(client, NOW)).isZero();
    assertThat(writes.getLast()).startsWith("DELETE " + POLICY);
    writes.clear();
    patchStatus = 500;
    assertThatThrownBy(() -> NodeFreeze.repeatEvictions(client, NOW))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(writes).as("the policy stays, and says what is left to do").hasSize(1);
  }
}
