// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static io.exaplane.testbed.scheduler.Benchmarks.cpu;
import static io.exaplane.testbed.scheduler.Benchmarks.parallel;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How long pods that come at a steady pace wait for their node, as a client sees it: from when it
 * sent the pod to when a watch of its own tells that the pod is on a node.
 */
final class LatencyBenchmark {
  private static final int WARM_UP = 2000;

  private LatencyBenchmark() {}

  /** Arguments: exaplane or kube-scheduler, how many nodes, pods a second, seconds. */
  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[1]);
    int perSecond = Integer.parseInt(args[2]);
    int pods = perSecond * Integer.parseInt(args[3]);
    Path folder = Files.createTempDirectory("pool-benchmark");
    try (LiveApi api = LiveApi.start(folder);
        KubernetesClient client = api.client()) {
      parallel(nodes, i -> client.resource(PodMix.node(2 * i + 1, "64")).create());
      Map<String, Long> sentNs = new ConcurrentHashMap<>();
      Map<String, Long> tookNs = new ConcurrentHashMap<>();
      Watch watch = client.pods().inNamespace("default").watch(onNode(sentNs, tookNs));
      try (watch;
          Server scheduler = Benchmarks.scheduler(args[0], folder, api)) {
        parallel(WARM_UP, i -> create(client, "warm-" + i, sentNs));
        await(tookNs, WARM_UP);
        double before = cpu(scheduler.pid());
        long startNs = System.nanoTime();
        for (int i = 0; i < pods; i++) {
          long dueNs = startNs + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
          TimeUnit.NANOSECONDS.sleep(Math.max(0, dueNs - System.nanoTime()));
          String name = "pod-" + i;
          Thread.ofVirtual().start(() -> create(client, name, sentNs));
        }
        await(tookNs, WARM_UP + pods);
        long[] sorted =
            tookNs.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("pod-"))
                .mapToLong(Map.Entry::getValue)
                .sorted()
                .toArray();
        System.out.printf(
            "%s: %d nodes, %d pods a second: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms; CPU of a pod: scheduler %.2f ms%n",
            args[0],
            nodes,
            perSecond,
            at(sorted, 0.5),
            at(sorted, 0.9),
            at(sorted, 0.99),
            1000 * (cpu(scheduler.pid()) - before) / pods);
      }
    }
  }

  private static double at(long[] sortedNs, double share) {
    return sortedNs[(int) Math.min(sortedNs.length - 1, share * sortedNs.length)] / 1e6;
  }

  private static void create(KubernetesClient client, String name, Map<String, Long> sentNs) {
    sentNs.put(name, System.nanoTime());
    client.resource(PodMix.plain(name, "10m").build()).create();
  }

  private static void await(Map<String, Long> tookNs, int count) throws InterruptedException {
    Await.until(count + " are on nodes", () -> tookNs.size() >= count, tookNs::size);
  }

  private static Watcher<Pod> onNode(Map<String, Long> sentNs, Map<String, Long> tookNs) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, Pod pod) {
        String name = pod.getMetadata().getName();
        if (pod.getSpec().getNodeName() != null) {
          tookNs.putIfAbsent(name, System.nanoTime() - sentNs.get(name));
        }
      }

      @Override
      public void onClose(WatcherException cause) {
        System.err.println("the watch ended: " + cause);
      }
    };
  }
}
