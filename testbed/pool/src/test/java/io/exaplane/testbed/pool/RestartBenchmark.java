// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import static io.exaplane.testbed.pool.Benchmarks.bound;
import static io.exaplane.testbed.pool.Benchmarks.cpu;
import static io.exaplane.testbed.pool.Benchmarks.parallel;

import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long a scheduler that starts takes until its first pod is on a node of a large cluster. */
final class RestartBenchmark {
  private RestartBenchmark() {}

  /** Arguments: exaplane or kube-scheduler, how many nodes, how many pods that are on them. */
  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[1]);
    int pods = Integer.parseInt(args[2]);
    Path folder = Files.createTempDirectory("pool-benchmark");
    try (LiveApi api = LiveApi.start(folder);
        KubernetesClient client = api.client()) {
      parallel(nodes, i -> client.resource(PodMix.node(2 * i + 1, "64")).create());
      parallel(
          pods,
          i ->
              client
                  .resource(
                      PodMix.plain("pod-" + i, "100m")
                          .editSpec()
                          .withNodeName("node-%04d".formatted(2 * (i % nodes) + 1))
                          .endSpec()
                          .build())
                  .create());
      client.resource(PodMix.plain("waits", "100m").build()).create();
      long start = System.nanoTime();
      try (Server scheduler = Benchmarks.scheduler(args[0], folder, api)) {
        while (bound(args[0], scheduler) < 1) {
          Thread.sleep(50);
        }
        System.out.printf(
            "%s: %d nodes, %d pods on them: first pod bound %.1f s after the start; CPU: scheduler %.1f s%n",
            args[0], nodes, pods, (System.nanoTime() - start) / 1e9, cpu(scheduler.pid()));
      }
    }
  }
}
