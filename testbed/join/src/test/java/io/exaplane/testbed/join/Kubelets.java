// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Simulated kubelets: each asks with the rights of its own Node and no others, as the API server's
 * Node authorizer and NodeRestriction grant them. Any thread.
 */
final class Kubelets implements AutoCloseable {
  static final String NODES = "/api/v1/nodes";
  private static final String POD_PREFIX = "exaplane.io/pod-prefix";
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = Http.multiplexing();
  private final String server;

  /** {@code server} is the URL of the API. */
  Kubelets(String server) {
    this.server = server;
  }

  /** A Node registers with the label of its pool. */
  void register(String node, String pool) throws Exception {
    HttpResponse<String> answer =
        ask(
            node,
            "POST",
            NODES,
            """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": {"exaplane.io/pool": "%s"}},
             "status": {"nodeInfo": {"kubeletVersion": "v1.37.2"}}}
            """
                .formatted(node, pool));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  /** Its host writes which prefix it has; it must be let. */
  void ask(String node, String prefix) throws Exception {
    HttpResponse<String> answer = annotate(node, node, prefix);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  /** The kubelet of a Node writes to any Node. */
  HttpResponse<String> annotate(String kubelet, String node, String prefix) throws Exception {
    return patch(
        kubelet,
        node,
        """
        {"metadata": {"annotations": {"%s": "%s"}}}"""
            .formatted(POD_PREFIX, prefix));
  }

  /** A merge. */
  HttpResponse<String> patch(String kubelet, String node, String patch) throws Exception {
    return ask(kubelet, "PATCH", NODES + "/" + node, patch);
  }

  /** Of all Nodes, by name, what stands in spec.podCIDRs. */
  Map<String, List<String>> podCidrs() throws Exception {
    Map<String, List<String>> all = new TreeMap<>();
    for (JsonNode node : JSON.readTree(ask("", "GET", NODES, "").body()).path("items")) {
      List<String> cidrs = new ArrayList<>();
      node.path("spec").path("podCIDRs").forEach(cidr -> cidrs.add(cidr.asText()));
      all.put(node.path("metadata").path("name").asText(), cidrs);
    }
    return all;
  }

  /** What the operator told the Node's host; "" if nothing. */
  String refusal(String node) throws Exception {
    return JSON.readTree(ask("", "GET", NODES + "/" + node, "").body())
        .path("metadata")
        .path("annotations")
        .path("exaplane.io/pod-prefix-refused")
        .asText();
  }

  void delete(String node) throws Exception {
    assertThat(ask("", "DELETE", NODES + "/" + node, "").statusCode()).isEqualTo(200);
  }

  /** How many times Nodes, not their status, were changed by a patch. */
  long patches() throws Exception {
    return ask("", "GET", "/metrics", "")
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(
            line ->
                line.contains("resource=\"nodes\"")
                    && line.contains("verb=\"PATCH\"")
                    && line.contains("subresource=\"\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** As a kubelet; as an administrator for "". */
  private HttpResponse<String> ask(String kubelet, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(DEADLINE)
            .header("Authorization", "Bearer " + Http.TOKEN)
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!kubelet.isEmpty()) {
      request
          .header("Impersonate-User", "system:node:" + kubelet)
          .header("Impersonate-Group", "system:nodes");
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
