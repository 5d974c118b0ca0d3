// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The second experiment of k8s-1m again, smaller: as many nodes by real kubelets, by kwok and by
 * the node simulator, each at a kube-apiserver and a store of its own. Prints what each asks.
 */
@Tag("long")
class KubeletsAndKwokProcessTest {
  private static final int NODES = Integer.getInteger("nodes", 20);
  private static final int PODS_PER_NODE = Integer.getInteger("podsPerNode", 3);
  private static final int SECONDS = Integer.getInteger("seconds", 300);
  private static final int ARRIVAL_SECONDS = Integer.getInteger("arrival", 180);
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final List<String> ALL = List.of("nobody", "kwok", "simulator", "kubelets");

  /** A part of them says nothing about the others. */
  private static final List<String> WORKLOADS =
      List.of(System.getProperty("workloads", String.join(",", ALL)).split(","));

  /** Of kwok's own, those of its smallest cluster, with Leases. */
  private static final List<String> STAGES =
      List.of(
          "node/fast/node-initialize.yaml",
          "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
          "pod/fast/pod-ready.yaml",
          "pod/fast/pod-complete.yaml",
          "pod/fast/pod-delete.yaml");

  private static final Path HOSTS = Path.of("/var/lib/exaplane-bench-test");
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;
  private ControlPlane controlPlane;

  /** Makes nodes and keeps them. */
  private interface Workload {
    AutoCloseable start() throws Exception;
  }

  @Test
  void requestsOfEachSideBySide() throws Exception {
    Map<String, JsonNode> views = new LinkedHashMap<>();
    for (String each : WORKLOADS) {
      views.put(
          each,
          switch (each) {
            case "nobody" -> measured(each, 0, 0, () -> () -> {});
            case "kwok" -> measured(each, NODES, PODS_PER_NODE, this::kwok);
            case "simulator" -> measured(each, NODES, 0, this::simulator);
            default -> measured(each, NODES, PODS_PER_NODE, this::kubelets);
          });
    }
    table("requests per node and minute", views, "requests", "perNodeMinute");
    table("watches per node", views, "watches", "perNode");
    table("events to watches", views, "watches", "events");
    if (views.size() < ALL.size()) {
      return;
    }
    JsonNode kubelets = views.get("kubelets");
    assertThat(kubelets.path("nodes").asInt()).isEqualTo(NODES);
    assertThat(open(kubelets, "pods") - open(views.get("nobody"), "pods"))
        .as("each kubelet watches its pods")
        .isGreaterThanOrEqualTo(NODES);
    assertThat(open(views.get("kwok"), "csidrivers"))
        .as("kwok does not")
        .isLessThan(open(kubelets, "csidrivers"));
  }

  private static int open(JsonNode view, String resource) {
    return row(view, "watches", resource).path("open").asInt();
  }

  private static JsonNode row(JsonNode view, String table, String name) {
    return StreamSupport.stream(view.path(table).spliterator(), false)
        .filter(each -> name(each).equals(name))
        .findFirst()
        .orElse(JSON.missingNode());
  }

  private static String name(JsonNode row) {
    String verb = row.path("verb").asText();
    return (verb.isEmpty() ? "" : verb + " ") + row.path("resource").asText();
  }

  private static void table(
      String title, Map<String, JsonNode> views, String table, String column) {
    System.out.printf("%n| %s | %s |%n", title, String.join(" | ", views.keySet()));
    System.out.printf("|---|%s%n", "---|".repeat(views.size()));
    TreeMap<String, List<String>> rows = new TreeMap<>();
    views.values().forEach(view -> view.path(table).forEach(r -> rows.put(name(r), List.of())));
    rows.keySet()
        .forEach(
            each ->
                System.out.printf(
                    "| %s | %s |%n",
                    each,
                    String.join(
                        " | ",
                        views.values().stream()
                            .map(view -> row(view, table, each).path(column).asDouble())
                            .map("%.2f"::formatted)
                            .toList())));
  }

  private JsonNode measured(String name, int nodes, int pods, Workload workload) throws Exception {
    Path own = Files.createDirectory(folder.resolve(name));
    try (Server ownStore = ControlPlane.startStore(own);
        ControlPlane started = started(own, ownStore)) {
      controlPlane = started;
      ExactlProcess arrival = server(ARRIVAL_SECONDS);
      AutoCloseable running = workload.start();
      try (arrival) {
        Await.until(
            PATIENCE, nodes + " nodes are Ready", () -> ready().size() >= nodes, () -> ready());
        pods(pods);
        // It ends when they have settled.
        System.out.printf("%s, arrival: %s%n", name, arrival.report());
        double cpu = cpuSeconds(ownStore);
        JsonNode view;
        try (ExactlProcess steady = server(SECONDS)) {
          view = steady.report();
        }
        System.out.printf(
            "%s, then %d s: %s%n%s: the server %.3f cores, %.0f MiB; the store %.3f cores, %s%n",
            name,
            SECONDS,
            view,
            name,
            view.path("cores").asDouble(),
            view.path("memoryBytes").asDouble() / (1 << 20),
            (cpuSeconds(ownStore) - cpu) / SECONDS,
            memory(ownStore));
        System.out.printf("%s: objects %s%n", name, objects());
        return view;
      } finally {
        running.close();
      }
    }
  }

  private static ControlPlane started(Path own, Server store) throws Exception {
    ControlPlane started =
        ControlPlane.on(
            store,
            own,
            own,
            Clusters.tuning(100),
            List.of(
                "--bind-address=::",
                "--authorization-mode=Node",
                "--enable-admission-plugins=NodeRestriction"));
    started.startControllerManager(
        Clusters.tuning(100),
        List.of(
            "--service-account-private-key-file=" + own.resolve("sa.key"),
            "--root-ca-file=" + own.resolve("apiserver.crt"),
            "--allocate-node-cidrs=false"));
    return started;
  }

  private ExactlProcess server(int seconds) throws Exception {
    return new ExactlProcess(
        controlPlane, folder, List.of("server", "--duration=" + seconds + "s"));
  }

  private static double cpuSeconds(Server process) {
    return ProcessHandle.of(process.pid())
            .flatMap(each -> each.info().totalCpuDuration())
            .orElseThrow()
            .toMillis()
        / 1000.0;
  }

  private static String memory(Server process) throws Exception {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .findFirst()
        .orElseThrow();
  }

  private Map<String, Integer> objects() throws Exception {
    Map<String, Integer> all = new TreeMap<>();
    for (String path :
        List.of(
            "/api/v1/nodes",
            "/api/v1/pods",
            "/api/v1/events",
            "/apis/coordination.k8s.io/v1/leases",
            "/apis/storage.k8s.io/v1/csinodes")) {
      all.put(path, items(path).size());
    }
    return all;
  }

  private AutoCloseable kubelets() throws Exception {
    Path image = PauseImage.write(Files.createDirectory(folder.resolve("image")));
    List<String> words =
        List.of(
            "kubelets",
            "--count=" + NODES,
            "--rate=1",
            "--duration=%ds".formatted(SECONDS + ARRIVAL_SECONDS),
            "--prefix=fd00:e:be::/48",
            "--on-node",
            "--folder=" + HOSTS,
            "--image=" + image,
            "--server=https://[fd00:e:be::1]:" + controlPlane.uri("").getPort(),
            "--kubelet=" + Kubernetes.binary("kubelet"),
            "--kube-proxy=" + Kubernetes.binary("kube-proxy"));
    return reporting(new ExactlProcess(controlPlane, folder, words));
  }

  private AutoCloseable simulator() throws Exception {
    return reporting(
        new ExactlProcess(
            controlPlane,
            folder,
            List.of(
                "nodes",
                "--count=" + NODES,
                "--rate=5",
                "--watches=kubelet,podcertificaterequests,kube-proxy",
                "--duration=%ds".formatted(SECONDS + ARRIVAL_SECONDS))));
  }

  private static AutoCloseable reporting(ExactlProcess process) {
    return () -> {
      try (process) {
        System.out.println(process.report());
      }
    };
  }

  /** Its own stages, which renew Leases. */
  private AutoCloseable kwok() throws Exception {
    for (int i = 0; i < NODES; i++) {
      controlPlane.create(
          "/api/v1/nodes",
          """
          {"metadata": {"name": "kwok-%02d", "annotations": {"kwok.x-k8s.io/node": "fake"},
           "labels": {"kubernetes.io/os": "linux"}}, "spec": {"taints": [{"key": "kwok", "effect": "NoSchedule"}]}}
          """
              .formatted(i));
    }
    int port = Machine.freePort();
    List<String> command = new ArrayList<>();
    command.add(Machine.environment("EXA_KWOK"));
    command.add("--kubeconfig=" + controlPlane.kubeconfig());
    Path stages = Path.of(Machine.environment("EXA_KWOK_STAGES"));
    STAGES.forEach(each -> command.add("--config=" + stages.resolve(each)));
    command.add("--manage-all-nodes=true");
    command.add("--node-lease-duration-seconds=40");
    command.add("--server-address=127.0.0.1:" + port);
    Server kwok =
        Server.start(
            command,
            Map.of(),
            URI.create("http://127.0.0.1:" + port + "/healthz"),
            folder.resolve("kwok.log"));
    return kwok;
  }

  /** On each node, with the token and the ConfigMap that pods have by default. */
  private void pods(int perNode) throws Exception {
    if (perNode == 0) {
      return;
    }
    String account = "/api/v1/namespaces/default/serviceaccounts/default";
    Await.until(
        PATIENCE,
        "the account",
        () -> Http.get(controlPlane.uri(account)).statusCode() == 200,
        () -> "");
    int count = 0;
    for (String node : ready()) {
      for (int i = 0; i < perNode; i++) {
        controlPlane.create(
            "/api/v1/namespaces/default/pods",
            """
            {"metadata": {"name": "p%03d"}, "spec": {"nodeName": "%s", "tolerations": [{"operator": "Exists"}],
             "containers": [{"name": "p", "image": "%s", "imagePullPolicy": "Never"}]}}
            """
                .formatted(count++, node, PauseImage.NAME));
      }
    }
    int all = count;
    Await.until(
        PATIENCE,
        "the pods run",
        () ->
            items("/api/v1/pods").stream()
                    .filter(each -> each.at("/status/phase").asText().equals("Running"))
                    .count()
                == all,
        () -> items("/api/v1/pods"));
  }

  private List<JsonNode> items(String path) throws Exception {
    JsonNode list = JSON.readTree(Http.get(controlPlane.uri(path)).body());
    return StreamSupport.stream(list.path("items").spliterator(), false).toList();
  }

  private List<String> ready() throws Exception {
    return items("/api/v1/nodes").stream()
        .filter(
            node ->
                StreamSupport.stream(node.at("/status/conditions").spliterator(), false)
                    .anyMatch(
                        each ->
                            each.path("type").asText().equals("Ready")
                                && each.path("status").asText().equals("True")))
        .map(node -> node.at("/metadata/name").asText())
        .toList();
  }
}
