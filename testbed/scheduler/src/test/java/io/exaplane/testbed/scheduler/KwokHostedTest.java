// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hosted control plane whose pods a SchedulerPool places that the operator runs: a root, two
 * relays and shards in containers of their own, with the tree's certificates; nodes and pods that
 * kwok brings to life. kwok renews no node Leases and sends no heartbeats, kube-controller-manager
 * waits for hours before it misses them, and new nodes are not tainted.
 */
class KwokHostedTest {
  private static final String NAME = "kwok";
  private static final String NAMESPACE = "e2e-kwok";
  private static final String ROOT =
      "/api/v1/namespaces/" + NAMESPACE + "/pods/http:kwok-root-0:10260/proxy/";

  private static final int CONNECTION_TIMEOUT_MS = 60_000;

  /** Of fewer, many may be placed while the shards' processes are still slow. */
  private static final int MANY_PODS = 10_000;

  @TempDir private Path folder;

  /**
   * As many as the properties say: 200 nodes, 1,000 pods, 3 shards, the fewest below two relays.
   */
  @Test
  void nodesAndPods() throws Exception {
    placesAll(
        Integer.getInteger("kwok.nodes", 200),
        Integer.getInteger("kwok.pods", 1000),
        Integer.getInteger("kwok.shards", 3));
  }

  @Test
  @Tag("long")
  void twoThousandNodesAndTenThousandPods() throws Exception {
    placesAll(2000, 10_000, 4);
  }

  @Test
  @Tag("long")
  void twentyThousandNodesAndAHundredThousandPods() throws Exception {
    placesAll(20_000, 100_000, 8);
  }

  private void placesAll(int nodes, int pods, int shards) throws Exception {
    Path manifest = folder.resolve("manifest.yaml");
    Files.writeString(manifest, manifest(nodes, shards));
    try {
      exa("kubectl", "apply", "--filename=" + manifest);
      for (String kind : List.of("cpl", "spool")) {
        await(kind, "Available");
      }
      await("spool", "TreeFormed");
      Path kubeconfig = Path.of(exa("kubeconfig", NAME + "." + NAMESPACE).strip());
      try (KubernetesClient client = client(kubeconfig);
          Recording recording = new Recording(client)) {
        Process kwok = kwok(kubeconfig);
        try {
          places(new PodBatch(client, recording), recording, nodes, pods);
        } finally {
          kwok.destroyForcibly().onExit().join();
        }
      }
    } finally {
      exa("kubectl", "delete", "--ignore-not-found", "--timeout=300s", "--filename=" + manifest);
    }
  }

  private static void places(PodBatch batch, Recording recording, int nodes, int pods)
      throws Exception {
    long startNs = System.nanoTime();
    batch.nodes(nodes);
    awaitAll(nodes, "nodes are ready", () -> recording.count(Node.class, KwokHostedTest::isReady));
    await("spool", "TreeFormed");
    double nodesS = (System.nanoTime() - startNs) / 1e9;
    for (int from = 0; from < pods; from += 2000) {
      int to = Math.min(pods, from + 2000);
      batch.create(from, to);
      batch.awaitBound(to);
    }
    double podsS = (System.nanoTime() - startNs) / 1e9 - nodesS;
    batch.audit(pods);
    awaitAll(pods, "pods run", () -> recording.count(Pod.class, KwokHostedTest::runs));
    System.out.printf(
        "%d nodes after %.0f s, %d pods on them after %.0f s: %.0f by shards, %.0f without their answer%n",
        nodes, nodesS, pods, podsS, metric("by_shards"), metric("alone"));
    assertThat(metric("by_shards")).isGreaterThan(pods < MANY_PODS ? 0 : pods / 2.0);
    assertThat(metric("binding_failed")).isZero();
  }

  private static String manifest(int nodes, int shards) {
    return """
    apiVersion: v1
    kind: Namespace
    metadata: {name: %1$s}
    ---
    apiVersion: exaplane.io/v1alpha1
    kind: ControlPlane
    metadata: {name: %2$s, namespace: %1$s}
    spec:
      version: "%3$s"
      maxNodes: %4$d
      sizing: {podsPerNode: 5}
      deletionProtection: false
      storage:
        stores:
        - {name: default, resources: {requests: {cpu: 150m}}}
        - {name: events, criticality: BestEffort, resources: {requests: {cpu: 10m}}}
      # As much of the model's as a test bed has, beside another control plane. Requests are shares of cores that all want at once: shards with next to none are silent for seconds, and a store with next to none is what all others wait for.
      # A node has no taint before kwok gets to it, which kube-controller-manager would have to take off again, one after another.
      apiServer:
        replicas: 1
        resources: {requests: {cpu: 140m, memory: 1Gi}}
        extraArgs: [{name: disable-admission-plugins, value: TaintNodesByCondition}]
        tuning: {shutdownDelay: 1s}
      controllerManager:
        replicas: 1
        extraArgs:
        - {name: node-monitor-grace-period, value: 3h}
        - {name: node-startup-grace-period, value: 3h}
        resources: {requests: {cpu: 40m, memory: 512Mi}}
      scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 128Mi}}}
      scheduling: {mode: Pool, poolRef: {name: %2$s}}
    ---
    apiVersion: exaplane.io/v1alpha1
    kind: SchedulerPool
    metadata: {name: %2$s, namespace: %1$s}
    spec:
      controlPlaneRef: {name: %2$s}
      roots: {replicas: 1, resources: {requests: {cpu: 100m}}}
      relays: {fanOut: %6$d, resources: {requests: {cpu: 30m}}}
      shards: {replicas: %5$d, resources: {requests: {cpu: 30m}}}
    """
        .formatted(
            NAMESPACE, NAME, Machine.environment("KUBERNETES"), nodes, shards, (shards + 1) / 2);
  }

  /** Brings nodes and pods to life, and says nothing of either after that. */
  private Process kwok(Path kubeconfig) throws IOException {
    Path stages =
        Files.writeString(
            folder.resolve("stages.yaml"),
            """
            apiVersion: config.kwok.x-k8s.io/v1alpha1
            kind: KwokConfiguration
            options: {nodePlayStageParallelism: 16, podPlayStageParallelism: 16}
            ---
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: node-ready}
            spec:
              resourceRef: {apiGroup: v1, kind: Node}
              selector:
                matchExpressions:
                - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ["True"]}
              next:
                statusTemplate: |
                  conditions:
                  - {type: Ready, status: "True", reason: KubeletReady, lastTransitionTime: {{ Now | Quote }}, lastHeartbeatTime: {{ Now | Quote }}}
            ---
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: pod-running}
            spec:
              resourceRef: {apiGroup: v1, kind: Pod}
              selector:
                matchExpressions:
                - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
                - {key: '.status.podIP', operator: DoesNotExist}
              next:
                statusTemplate: |
                  phase: Running
                  podIP: 10.0.0.1
                  conditions:
                  - {type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }}}
            """);
    ProcessBuilder process =
        new ProcessBuilder(
                Machine.environment("EXA_KWOK"),
                "--kubeconfig=" + kubeconfig,
                "--config=" + stages,
                "--manage-all-nodes",
                "--node-lease-duration-seconds=0",
                "--cidr=10.0.0.0/8")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("kwok.log").toFile());
    process.environment().put("GOGC", "400");
    return process.start();
  }

  private static void awaitAll(int count, String what, LongSupplier now)
      throws InterruptedException {
    Duration patience = Duration.ofSeconds(300 + count / 20);
    Await.until(patience, count + " " + what, () -> now.getAsLong() == count, now::getAsLong);
  }

  /** kwok says so, and it has no taint of kube-controller-manager's. */
  private static boolean isReady(Node node) {
    return node.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"))
        && node.getSpec().getTaints().stream()
            .noneMatch(taint -> taint.getKey().startsWith("node.kubernetes.io/"));
  }

  private static boolean runs(Pod pod) {
    return "Running".equals(pod.getStatus().getPhase());
  }

  private static double metric(String name) throws InterruptedException {
    String[] text = {""};
    Await.until("the root tells its metrics", () -> reads(text), () -> text[0]);
    Matcher line =
        Pattern.compile("(?m)^exaplane_scheduler_pods_" + name + "_total(?:\\{[^}]*})? (\\S+)$")
            .matcher(text[0]);
    return line.find() ? Double.parseDouble(line.group(1)) : -1;
  }

  /** The way to the pod leads by two servers, which may be busy. */
  private static boolean reads(String[] metrics) {
    try {
      metrics[0] = exa("kubectl", "get", "--raw", ROOT + "q/metrics");
      return true;
    } catch (AssertionError e) {
      metrics[0] = e.getMessage();
      return false;
    }
  }

  private static void await(String kind, String condition) {
    exa(
        "kubectl",
        "--namespace=" + NAMESPACE,
        "wait",
        kind + "/" + NAME,
        "--for=condition=" + condition,
        "--timeout=900s");
  }

  private static KubernetesClient client(Path kubeconfig) {
    Config config = new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile())).build();
    config.setClientKeyAlgo("EC");
    // Or the client reads the file again with each request.
    config.setOauthTokenProvider(() -> null);
    // Other steps use the machine, too.
    config.setConnectionTimeout(CONNECTION_TIMEOUT_MS);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Runs the launcher, and returns what it printed. */
  private static String exa(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(Machine.environment("EXA_HOME"), "exa").toString());
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new AssertionError(command.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
