// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * 'exactl bench kubelets' and 'bench server' at a real kube-apiserver: real kubelets of this
 * machine run a pod, and nothing of them is left, also after the command was killed.
 */
@ExtendWith(ControlPlanes.Given.class)
@Execution(ExecutionMode.CONCURRENT)
class BenchKubeletsProcessTest {
  private static final String GATEWAY = "fd00:e:be::1";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final Path HOSTS = Path.of("/var/lib/exaplane-bench-test");

  /** Where a pod's hostPath writes, as DaemonSets do that install plugins. */
  private static final Path INSTALLED = Path.of("/opt/exaplane-bench-test");

  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;
  private ControlPlane controlPlane;

  @Test
  void kubeletsRunPodsAndLeaveNothing(ControlPlanes controlPlanes) throws Exception {
    try (FileChannel _ = Machine.lock("exabench0");
        ControlPlane started =
            controlPlanes.startBeside(
                folder,
                Clusters.tuning(100),
                "--bind-address=::",
                "--authorization-mode=Node",
                "--enable-admission-plugins=NodeRestriction",
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")) {
      controlPlane = started;
      runAPod();
      areGoneWithTheirCommand();
    }
  }

  private void runAPod() throws Exception {
    Path image = PauseImage.write(Files.createDirectory(folder.resolve("image")));
    // The kubelets must outlive the command that looks at the server, and its start.
    String duration = Math.round(25 * Math.max(1, Machine.busyness() / 2)) + "s";
    try (ExactlProcess kubelets =
        start("--count=2", "--rate=10", "--duration=" + duration, "--image=" + image)) {
      Await.until("both are Ready", () -> ready().size() == 2, kubelets::words);
      try (ExactlProcess server =
          new ExactlProcess(controlPlane, folder, List.of("server", "--duration=15s"))) {
        pod(ready().getFirst());
        Await.until("the pod runs", () -> phase().equals("Running"), () -> pod().toString());
        assertThat(pod().at("/status/podIP").asText()).startsWith("fd00:e:be:");
        seen(server.report());
      }
      JsonNode report = kubelets.report();
      assertThat(report.at("/figures/nodesReadyAtTheEnd").asInt()).isEqualTo(2);
      for (String program : List.of("kubelet", "containerd", "kube-proxy")) {
        assertThat(report.at("/figures/perNode/" + program + "/memoryMiB").asDouble())
            .as("%s: %s", program, report)
            .isPositive();
      }
      assertThat(report.at("/cleanUp/deleted/nodes").asInt()).isEqualTo(2);
      System.out.printf(
          "exactl bench kubelets: 2 Ready after %.1f s; %s%n",
          report.at("/figures/secondsUntilAllReady").asDouble(), report.at("/figures/perNode"));
    }
    leftNothing();
  }

  /** What the server says of its clients within more than a period of Leases. */
  private static void seen(JsonNode view) {
    assertThat(view.path("nodes").asInt()).isEqualTo(2);
    assertThat(view.path("memoryBytes").asDouble()).isPositive();
    assertThat(rows(view, "requests", "verb")).anyMatch(each -> each.endsWith(" leases"));
    assertThat(rows(view, "watches", "resource"))
        .contains("pods", "nodes", "services", "csidrivers", "runtimeclasses", "endpointslices");
  }

  private static List<String> rows(JsonNode view, String table, String first) {
    return StreamSupport.stream(view.path(table).spliterator(), false)
        .map(
            row ->
                first.equals("resource")
                    ? row.path("resource").asText()
                    : row.path(first).asText() + " " + row.path("resource").asText())
        .toList();
  }

  private void areGoneWithTheirCommand() throws Exception {
    try (ExactlProcess kubelets = start("--count=1", "--duration=1h")) {
      Await.until("it is Ready", () -> ready().size() == 1, kubelets::words);
      kubelets.kill();
    }
    Await.until("the kubelet has ended with its command", () -> processes().isEmpty());
    assertThat(nodes()).as("nobody deleted it").hasSize(1);
    try (ExactlProcess cleaning = start("--clean-up")) {
      cleaning.ends();
    }
    leftNothing();
  }

  private ExactlProcess start(String... options) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                "kubelets",
                "--on-node",
                "--prefix=fd00:e:be::/48",
                "--folder=" + HOSTS,
                "--server=https://[%s]:%d".formatted(GATEWAY, controlPlane.uri("").getPort()),
                "--kubelet=" + Kubernetes.binary("kubelet"),
                "--kube-proxy=" + Kubernetes.binary("kube-proxy")));
    words.addAll(List.of(options));
    return new ExactlProcess(controlPlane, folder, words);
  }

  private void pod(String node) throws Exception {
    controlPlane.create(
        PODS,
        """
        {"metadata": {"name": "p"}, "spec": {"nodeName": "%s", "terminationGracePeriodSeconds": 1,
         "tolerations": [{"operator": "Exists"}],
         "volumes": [{"name": "v", "hostPath": {"path": "%s", "type": "DirectoryOrCreate"}}],
         "containers": [{"name": "p", "image": "%s", "imagePullPolicy": "Never",
          "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]}}
        """
            .formatted(node, INSTALLED, PauseImage.NAME));
  }

  private JsonNode pod() throws Exception {
    return JSON.readTree(Http.get(controlPlane.uri(PODS + "/p")).body());
  }

  private String phase() throws Exception {
    return pod().at("/status/phase").asText();
  }

  private List<JsonNode> nodes() throws Exception {
    JsonNode list = JSON.readTree(Http.get(controlPlane.uri("/api/v1/nodes")).body());
    return StreamSupport.stream(list.path("items").spliterator(), false).toList();
  }

  private List<String> ready() throws Exception {
    return nodes().stream()
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

  /** Command lines that name the folder of the hosts, but for exactl's own. */
  private static List<String> processes() {
    return ProcessHandle.allProcesses()
        .map(each -> each.info().commandLine().orElse(""))
        .filter(each -> each.contains(HOSTS + "/"))
        .toList();
  }

  private void leftNothing() throws Exception {
    assertThat(nodes()).isEmpty();
    Await.until("all processes have ended", () -> processes().isEmpty(), () -> processes());
    assertThat(HOSTS).doesNotExist();
    assertThat(INSTALLED).as("a folder that a pod made").doesNotExist();
    assertThat(Path.of("/sys/class/net/exabench0")).doesNotExist();
    Await.until("all control groups are gone", () -> groups().isEmpty(), () -> groups());
  }

  private static List<Path> groups() throws IOException {
    try (Stream<Path> all =
        Files.find(
            Path.of("/sys/fs/cgroup"),
            2,
            (path, attributes) -> path.getFileName().toString().startsWith("exaplane-bench-"))) {
      return all.toList();
    }
  }
}
