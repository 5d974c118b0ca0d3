// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * 'exactl bench nodes', 'leases', 'pods' and 'watches' at a real kube-apiserver that knows nodes:
 * its authorizer and its admission accept the simulated kubelets, and nothing is left of them.
 */
@ExtendWith(ControlPlanes.Given.class)
class LoadProcessTest {
  private static final int NODES = Integer.getInteger("nodes", 100);
  private static final String OURS = "?labelSelector=exaplane.io%2Fbench";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;
  private ControlPlane controlPlane;

  @Test
  void loadsAskAsTheirClientsDoAndLeaveNothing(ControlPlanes controlPlanes) throws Exception {
    Path audit = folder.resolve("audit.log");
    Path policy =
        Files.writeString(
            folder.resolve("policy.yaml"),
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules: [{level: Metadata}]
            """);
    try (ControlPlane started =
        controlPlanes.start(
            folder,
            Clusters.tuning(100),
            "--authorization-mode=Node",
            "--enable-admission-plugins=NodeRestriction",
            "--disable-admission-plugins=ServiceAccount",
            "--audit-policy-file=" + policy,
            "--audit-log-path=" + audit,
            "--audit-log-mode=blocking")) {
      controlPlane = started;
      String worker =
          controlPlane.create("/api/v1/nodes", "{\"metadata\":{\"name\":\"worker-1\"}}");
      nodes();
      asKubelets(audit);
      leases();
      pods();
      watches();
      deletesWhenItIsEnded();
      assertThat(items("/api/v1/nodes")).hasSize(1);
      assertThat(items("/api/v1/nodes").getFirst().at("/metadata/resourceVersion"))
          .as("the node of somebody else is as it was")
          .isEqualTo(JSON.readTree(worker).at("/metadata/resourceVersion"));
    }
  }

  private void nodes() throws Exception {
    JsonNode report =
        run(
            "nodes",
            "--count=" + NODES,
            "--rate=" + NODES / 5,
            "--duration=8s",
            "--lease-duration=8s",
            "--watches=kubelet,configmaps=1");
    isNeverRefused(report);
    assertThat(report.at("/figures/nodes").asInt()).isEqualTo(NODES);
    assertThat(requests(report, "register", "create", "nodes").at("/status/201").asInt())
        .isEqualTo(NODES);
    JsonNode renewals = requests(report, "steady", "update", "leases");
    // Every two seconds and up to 4 % more; fewer while the machine has no time for the server.
    assertThat(renewals.at("/status/200").asInt()).isBetween(1, 5 * NODES);
    assertThat(renewals.at("/latencyMs/p99").asDouble()).isPositive();
    Map<String, Double> perNode = new TreeMap<>();
    report
        .path("watches")
        .forEach(
            each -> perNode.put(each.path("resource").asText(), each.path("perNode").asDouble()));
    assertThat(perNode)
        .isEqualTo(
            Map.of(
                "configmaps", 1.0,
                "csidrivers", 1.0,
                "nodes", 1.0,
                "pods", 1.0,
                "runtimeclasses", 1.0,
                "services", 1.0));
    assertThat(report.at("/cleanUp/deleted/nodes").asInt()).isEqualTo(NODES);
    System.out.printf(
        "exactl bench nodes: %.1f renewals/s, p99 %.1f ms, %d connections, %.2f s of CPU in %.1f"
            + " s%n",
        report.at("/figures/renewalsPerSecond").asDouble(),
        renewals.at("/latencyMs/p99").asDouble(),
        report.at("/client/connections").asInt(),
        report.at("/client/cpuSeconds").asDouble(),
        report.at("/phases/2/seconds").asDouble());
    leavesNothing();
  }

  /** A busy server may be late or say 429; it has no reason to refuse anything. */
  private static void isNeverRefused(JsonNode report) {
    for (JsonNode phase : report.path("phases")) {
      for (JsonNode requests : phase.path("requests")) {
        if (!requests.path("verb").asText().equals("get")) {
          List<String> statuses = new ArrayList<>();
          requests.path("status").fieldNames().forEachRemaining(statuses::add);
          assertThat(statuses)
              .as("%s; %s", requests, report.path("problems"))
              .doesNotContain("400", "401", "403", "405", "406", "415", "422");
        }
      }
    }
  }

  /** By the audit log: each node renews its own Lease in its own name. */
  private void asKubelets(Path audit) throws IOException {
    Set<String> renewing = new HashSet<>();
    Set<String> verbsOfNodes = new HashSet<>();
    for (String line : Files.readAllLines(audit)) {
      JsonNode entry = JSON.readTree(line);
      String user = entry.at("/impersonatedUser/username").asText();
      if (user.startsWith("system:node:")) {
        String name = user.substring("system:node:".length());
        String resource = entry.at("/objectRef/resource").asText();
        String verb = entry.path("verb").asText();
        verbsOfNodes.add(verb + " " + resource);
        if (resource.equals("leases") && verb.equals("update")) {
          assertThat(entry.at("/objectRef/name").asText()).isEqualTo(name);
          renewing.add(name);
        }
      }
    }
    assertThat(renewing).as("who renewed by itself").hasSizeGreaterThan(NODES / 4);
    assertThat(verbsOfNodes)
        .contains(
            "create nodes",
            "patch nodes",
            "get leases",
            "create leases",
            "update leases",
            "watch nodes",
            "watch pods",
            "watch services",
            "watch csidrivers",
            "watch runtimeclasses");
  }

  private void leases() throws Exception {
    JsonNode report = run("leases", "--count=50", "--rate=100", "--duration=3s", "--as-nodes");
    isNeverRefused(report);
    assertThat(report.at("/figures/leases").asInt()).isEqualTo(50);
    assertThat(requests(report, "renew", "update", "leases").at("/status/200").asInt())
        .isPositive();
    // Of the time that passed: the three seconds are longer on a busy machine.
    assertThat(report.at("/figures/renewalsPerSecond").asDouble()).isBetween(1.0, 110.0);
    leavesNothing();
  }

  /** No scheduler runs, and no controller that ends namespaces. */
  private void pods() throws Exception {
    JsonNode report = run("pods", "--count=100", "--rate=50", "--namespaces=2", "--padding=500");
    isNeverRefused(report);
    assertThat(report.at("/figures/created").asInt()).isEqualTo(100);
    assertThat(requests(report, "create", "create", "pods").at("/status/201").asInt())
        .isEqualTo(100);
    assertThat(report.at("/cleanUp/deleted"))
        .isEqualTo(JSON.readTree("{\"pods\":100,\"namespaces\":2}"));
    leavesNothing();
  }

  private void watches() throws Exception {
    JsonNode report =
        run("watches", "--count=100", "--rate=20", "--duration=3s", "--open-rate=500");
    isNeverRefused(report);
    long writes = report.at("/figures/writes").asLong();
    assertThat(writes).isPositive();
    long events = report.at("/figures/events").asLong();
    // A machine without time may owe the last ones.
    assertThat(events).as("%s", report).isBetween(writes, 100 * writes);
    assertThat(report.at("/latencies/fromWriteToEvent/count").asLong()).isEqualTo(events);
    assertThat(report.at("/latencies/fromWriteToEvent/p999").asDouble()).isPositive();
    leavesNothing();
  }

  private void deletesWhenItIsEnded() throws Exception {
    Process process = start("nodes", "--count=20", "--rate=20", "--duration=1h");
    Await.until("a simulated node exists", () -> !items("/api/v1/nodes" + OURS).isEmpty());
    process.destroy();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    leavesNothing();
  }

  private void leavesNothing() throws Exception {
    for (String path : List.of("/api/v1/nodes", LEASES, "/api/v1/pods", "/api/v1/configmaps")) {
      assertThat(items(path + OURS)).as(path).isEmpty();
    }
    assertThat(items("/api/v1/namespaces" + OURS))
        .allMatch(each -> each.at("/metadata").has("deletionTimestamp"));
  }

  private List<JsonNode> items(String path) throws Exception {
    JsonNode list = JSON.readTree(Http.get(controlPlane.uri(path)).body());
    return StreamSupport.stream(list.path("items").spliterator(), false).toList();
  }

  private static JsonNode requests(JsonNode report, String phase, String verb, String resource) {
    for (JsonNode each : report.path("phases")) {
      if (each.path("name").asText().equals(phase)) {
        for (JsonNode requests : each.path("requests")) {
          if (requests.path("verb").asText().equals(verb)
              && requests.path("resource").asText().equals(resource)) {
            return requests;
          }
        }
      }
    }
    throw new AssertionError("no " + verb + " " + resource + " in " + phase + ": " + report);
  }

  private List<String> words(String load, String... options) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                "bench",
                load,
                "--context=c",
                "--output=json",
                "--kubeconfig=" + controlPlane.kubeconfig()));
    words.addAll(List.of(options));
    return words;
  }

  private JsonNode run(String load, String... options) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(out),
            new PrintWriter(err),
            words(load, options).toArray(String[]::new));
    assertThat(code).as(err.toString()).isZero();
    assertThat(err.toString()).as("a line each second").contains("requests/s");
    return JSON.readTree(out.toString());
  }

  private Process start(String load, String... options) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.exaplane.cli.Exactl"));
    words.addAll(words(load, options));
    return new ProcessBuilder(words).inheritIO().start();
  }
}
