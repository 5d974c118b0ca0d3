// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static io.exaplane.testbed.scheduler.Benchmarks.bound;
import static io.exaplane.testbed.scheduler.Benchmarks.cpu;
import static io.exaplane.testbed.scheduler.Benchmarks.parallel;

import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How long a scheduler that starts takes until its first pod is on a node of a large cluster: this
 * one and kube-scheduler, one after the other on the same API server.
 */
final class RestartBenchmark {
  private RestartBenchmark() {}

  /** Arguments: how many nodes, how many pods that are on them. */
  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[0]);
    int pods = Integer.parseInt(args[1]);
    Path folder = Files.createTempDirectory("pool-benchmark");
    try (LiveApi api = LiveApi.start(folder);
        KubernetesClient client = api.client()) {
      parallel(nodes, i -> client.resource(PodMix.node(2 * i + 1, "64")).create());
      parallel(pods, i -> client.resource(onNode(i, 2 * (i % nodes) + 1)).create());
      System.out.printf("%d nodes, %d pods on them%n", nodes, pods);
      for (String which : List.of("exaplane", "kube-scheduler", "exaplane", "kube-scheduler")) {
        String pod = "waits-" + System.nanoTime();
        client.resource(PodMix.plain(pod, "100m").build()).create();
        firstBinding(which, folder, api);
        client.pods().inNamespace("default").withName(pod).withGracePeriod(0).delete();
      }
    }
  }

  private static Pod onNode(int i, int node) {
    return PodMix.plain("pod-" + i, "100m")
        .editSpec()
        .withNodeName("node-%04d".formatted(node))
        .endSpec()
        .build();
  }

  private static void firstBinding(String which, Path folder, LiveApi api) throws Exception {
    long startNs = System.nanoTime();
    double apiServerS = cpu(api.apiServerPid());
    try (Server scheduler = Benchmarks.scheduler(which, folder, api)) {
      while (bound(which, scheduler) < 1) {
        Thread.sleep(50);
      }
      System.out.printf(
          "%s: first pod bound %.1f s after the start; CPU: scheduler %.1f s, API server %.1f s%n",
          which,
          (System.nanoTime() - startNs) / 1e9,
          cpu(scheduler.pid()),
          cpu(api.apiServerPid()) - apiServerS);
    }
  }
}
