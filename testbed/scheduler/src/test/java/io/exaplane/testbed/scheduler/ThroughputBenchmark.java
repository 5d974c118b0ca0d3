// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static io.exaplane.testbed.scheduler.Benchmarks.bound;
import static io.exaplane.testbed.scheduler.Benchmarks.cpu;
import static io.exaplane.testbed.scheduler.Benchmarks.parallel;

import io.exaplane.scheduler.kube.ApiWriter;
import io.exaplane.scheduler.kube.Fabric8Api;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pods that wait, through a real kube-apiserver to their nodes: by this scheduler, by
 * kube-scheduler, or by a bare client that knows where they go and only sends bindings.
 */
final class ThroughputBenchmark {
  private static final int CONNECTIONS = 64;

  private ThroughputBenchmark() {}

  /** Arguments: exaplane, kube-scheduler or bare, how many nodes, how many pods. */
  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[1]);
    int pods = Integer.parseInt(args[2]);
    Path folder = Files.createTempDirectory("pool-benchmark");
    try (LiveApi api = LiveApi.start(folder);
        KubernetesClient client = api.client()) {
      parallel(nodes, i -> client.resource(PodMix.node(2 * i + 1, "64")).create());
      parallel(pods, i -> client.resource(PodMix.plain("pod-" + i, "100m").build()).create());
      double apiServer = cpu(api.apiServerPid());
      double store = cpu(api.storePid());
      if (args[0].equals("bare")) {
        bare(api, client, nodes, pods);
      } else {
        scheduler(args[0], folder, api, nodes, pods);
      }
      System.out.printf(
          "  CPU meanwhile: apiserver %.1f s, store %.1f s%n",
          cpu(api.apiServerPid()) - apiServer, cpu(api.storePid()) - store);
    }
  }

  private static void scheduler(String which, Path folder, LiveApi api, int nodes, int pods)
      throws Exception {
    long start = System.nanoTime();
    try (Server scheduler = Benchmarks.scheduler(which, folder, api)) {
      long first = 0;
      long bound = 0;
      while (bound < pods) {
        Thread.sleep(100);
        bound = bound(which, scheduler);
        first = first == 0 && bound > 0 ? System.nanoTime() : first;
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      double afterFirst = (System.nanoTime() - first) / 1e9;
      System.out.printf(
          "%s: %d nodes, %d pods: first after %.1f s, all after %.1f s (%.0f a second after the first); CPU: scheduler %.1f s%n",
          which,
          nodes,
          pods,
          (first - start) / 1e9,
          seconds,
          pods / afterFirst,
          cpu(scheduler.pid()));
    }
  }

  /** The API server's own limit for bindings, from as many connections as it takes. */
  private static void bare(LiveApi api, KubernetesClient client, int nodes, int pods)
      throws Exception {
    List<Pod> all = client.pods().inNamespace("default").list().getItems();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    double own = cpu(ProcessHandle.current().pid());
    try (Fabric8Api sender = new Fabric8Api(api.schedulerConfig(), Duration.ofSeconds(30))) {
      List<Thread> threads =
          java.util.stream.IntStream.range(0, CONNECTIONS)
              .mapToObj(
                  connection -> Thread.ofVirtual().start(() -> bind(sender, all, next, nodes)))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "bare client: %d nodes, %d pods: all after %.1f s (%.0f a second); CPU: client %.1f s%n",
        nodes, pods, seconds, pods / seconds, cpu(ProcessHandle.current().pid()) - own);
  }

  private static void bind(Fabric8Api sender, List<Pod> all, AtomicInteger next, int nodes) {
    for (int i = next.getAndIncrement(); i < all.size(); i = next.getAndIncrement()) {
      Pod pod = all.get(i);
      String name = pod.getMetadata().getName();
      Map<String, Object> binding =
          Map.of(
              "apiVersion",
              "v1",
              "kind",
              "Binding",
              "metadata",
              Map.of("namespace", "default", "name", name, "uid", pod.getMetadata().getUid()),
              "target",
              Map.of("kind", "Node", "name", "node-%04d".formatted(2 * (i % nodes) + 1)));
      try {
        ApiWriter.Reply reply =
            sender.send(
                new ApiWriter.Request(
                    "POST",
                    "/api/v1/namespaces/default/pods/" + name + "/binding",
                    "application/json",
                    binding));
        if (!reply.isSuccess()) {
          throw new IllegalStateException(reply.message());
        }
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
