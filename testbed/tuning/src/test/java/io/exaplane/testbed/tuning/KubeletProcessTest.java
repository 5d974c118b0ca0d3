// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A real kubelet registers its node with the configuration that the model says. */
@ExtendWith(ControlPlanes.Given.class)
class KubeletProcessTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  @TempDir private Path folder;

  /**
   * A kubelet with the configuration for a cluster of some size.
   *
   * @param port where it serves its own API
   */
  private record Node(String name, Tuning tuning, Server kubelet, int port) {
    List<Item> advised() {
      return tuning.items(Component.KUBELET, Item.Type.CONFIG);
    }
  }

  @Test
  void nodesRegisterWithTheConfigurationOfAnySize(ControlPlanes controlPlanes) throws Exception {
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
      String runtime = startContainerd(controlPlane);
      List<Future<Void>> nodes = new ArrayList<>();
      // A kubelet waits for clocks of its own until it is there.
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (long size : Clusters.distinctSizes(Component.KUBELET)) {
          nodes.add(
              threads.submit(
                  () -> {
                    registers(controlPlane, startKubelet(controlPlane, runtime, size));
                    return null;
                  }));
        }
      }
      for (Future<Void> node : nodes) {
        node.get();
      }
    }
  }

  private Node startKubelet(ControlPlane controlPlane, String runtime, long size) throws Exception {
    String name = "node-of-" + size;
    Tuning tuning = Clusters.tuning(size);
    int port = Machine.freePort();
    int health = Machine.freePort();
    Map<String, Object> configuration = base(runtime, port, health);
    tuning
        .items(Component.KUBELET, Item.Type.CONFIG)
        .forEach(item -> configuration.put(item.name(), item.value()));
    Path file = folder.resolve(name + ".json");
    Files.writeString(file, JSON.writeValueAsString(configuration));
    // It mounts its folder: in a namespace of its own, so that nothing is left of it.
    List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--propagation=private"));
    command.add(Kubernetes.binary("kubelet"));
    command.add("--config=" + file);
    command.add("--kubeconfig=" + controlPlane.kubeconfig());
    command.add("--hostname-override=" + name);
    command.add("--root-dir=" + folder.resolve(name));
    command.add("--cert-dir=" + folder.resolve(name + "-pki"));
    command.addAll(tuning.arguments(Component.KUBELET));
    URI healthz = URI.create("http://127.0.0.1:" + health + "/healthz");
    return new Node(name, tuning, controlPlane.start(name, command, Map.of(), healthz), port);
  }

  private static void registers(ControlPlane controlPlane, Node node) throws Exception {
    await(controlPlane.uri("/api/v1/nodes/" + node.name()), node.kubelet());
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";
    JsonNode lease = await(controlPlane.uri(leases + node.name()), node.kubelet());
    assertThat(lease.at("/spec/leaseDurationSeconds").asLong())
        .isEqualTo(node.tuning().estimate().heartbeat().leaseSeconds());
    JsonNode running =
        await(URI.create("https://127.0.0.1:" + node.port() + "/configz"), node.kubelet());
    assertThat(node.advised())
        .allSatisfy(
            item ->
                assertThat(running.at("/kubeletconfig/" + item.name()).asText())
                    .as(item.name())
                    .isEqualTo(item.value().toString()));
  }

  /** What a kubelet needs beside others on a machine that is not its own. */
  private static Map<String, Object> base(String runtime, int port, int health) {
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("apiVersion", "kubelet.config.k8s.io/v1beta1");
    configuration.put("kind", "KubeletConfiguration");
    configuration.put("containerRuntimeEndpoint", runtime);
    configuration.put("address", "127.0.0.1");
    configuration.put("port", port);
    configuration.put("healthzPort", health);
    configuration.put("cgroupsPerQOS", false);
    configuration.put("enforceNodeAllocatable", List.of());
    configuration.put("failSwapOn", false);
    // Machines of tests may still have cgroup v1, which newer kubelets refuse unless told not to.
    if (Clusters.MATRIX.kubeletDefault(Clusters.version(), "failCgroupV1").isPresent()) {
      configuration.put("failCgroupV1", false);
    }
    configuration.put(
        "authentication",
        Map.of("anonymous", Map.of("enabled", true), "webhook", Map.of("enabled", false)));
    configuration.put("authorization", Map.of("mode", "AlwaysAllow"));
    return configuration;
  }

  private String startContainerd(ControlPlane controlPlane) throws Exception {
    Path socket = folder.resolve("containerd.sock");
    int metrics = Machine.freePort();
    Path file = folder.resolve("containerd.toml");
    Files.writeString(
        file,
        """
        version = 2
        root = "%1$s/containerd"
        state = "%1$s/containerd-state"
        [grpc]
        address = "%2$s"
        [ttrpc]
        address = "%2$s.ttrpc"
        [metrics]
        address = "127.0.0.1:%3$d"
        """
            .formatted(folder, socket, metrics));
    controlPlane.start(
        "containerd",
        List.of("containerd", "--config", file.toString()),
        Map.of(),
        URI.create("http://127.0.0.1:" + metrics + "/v1/metrics"));
    return "unix://" + socket;
  }

  private static JsonNode await(URI page, Server kubelet) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      String said;
      try {
        HttpResponse<String> response = Http.get(page);
        if (response.statusCode() == 200) {
          return JSON.readTree(response.body());
        }
        said = Integer.toString(response.statusCode());
      } catch (IOException e) {
        // It listens on one port after another.
        said = e.toString();
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%s: %s after %s; the kubelet said %s"
                .formatted(page, said, DEADLINE, kubelet.lastWords()));
      }
      Thread.sleep(100);
    }
  }
}
