// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.gather.Gatherer;
import io.exaplane.scheduler.grpc.TreeAddress;
import io.exaplane.scheduler.grpc.TreeServer;
import io.exaplane.scheduler.grpc.TreeTls;
import io.exaplane.scheduler.relay.Hub;
import io.exaplane.scheduler.root.ByShards;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How many decisions a second a root makes with shards as processes on this machine, without an API
 * server: objects are made up, and what was decided is true at once. Arguments: nodes, pods, kinds
 * of pods, shards. Half of the pods go before, so that all processes run warm. {@code
 * benchmarks/peers/tree} runs it.
 */
final class TreeBenchmark {
  private static final int WINDOW = 4096;

  private TreeBenchmark() {}

  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[0]);
    int pods = Integer.parseInt(args[1]);
    int kinds = Integer.parseInt(args[2]);
    int shards = Integer.parseInt(args[3]);
    Cluster cluster = new Cluster();
    Profile profile = Profile.defaults(Version.newest());
    ObjectReader reader = new ObjectReader(cluster, Version.newest());
    for (int i = 0; i < nodes; i++) {
      reader.read(Fields.of(node(i), ""));
    }
    Hub[] hub = new Hub[1];
    Down.Rules rules = new Down.Rules(Version.newest().toString(), "", 0);
    Gatherer gatherer =
        new Gatherer(
            cluster,
            message -> hub[0].down(message),
            rules,
            () -> 1,
            Gatherer.Patience.DEFAULT,
            System::nanoTime);
    hub[0] = new Hub(gatherer::take);
    TreeAddress address = new TreeAddress("127.0.0.1", Machine.freePort());
    Path folder = Files.createTempDirectory("tree-benchmark");
    List<SchedulerProcess> processes = new ArrayList<>();
    TreeServer server = new TreeServer(address, TreeTls.none(), () -> hub[0]);
    try {
      Thread looks = Thread.ofPlatform().daemon().start(() -> look(gatherer));
      for (int i = 0; i < shards; i++) {
        List<String> options = List.of("--role=shard", "--tree-parents=" + address);
        processes.add(SchedulerProcess.start(folder, "shard-" + i, options));
      }
      looks.interrupt();
      looks.join();
      while (!gatherer.isComplete()) {
        gatherer.look();
        Thread.sleep(1);
      }
      Decider decider = new Decider(cluster, profile, 0, false);
      ByShards byShards = new ByShards(decider, gatherer);
      List<PlacedPod> waiting = new ArrayList<>();
      for (int i = 0; i < pods; i++) {
        reader.read(Fields.of(pod(i, kinds), ""));
        waiting.add(cluster.pod("default/pod-" + i));
      }
      place(waiting.subList(0, pods / 2), kinds, decider, byShards, gatherer);
      long start = System.nanoTime();
      long rootNs = cpuNs();
      long shardNs = processes.stream().mapToLong(process -> cpuNs(process.pid())).sum();
      long bytes = loopbackBytes();
      place(waiting.subList(pods / 2, pods), kinds, decider, byShards, gatherer);
      double count = pods - pods / 2;
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%d nodes, %.0f pods of %d kinds, %d shards: %.0f decisions/s; CPU a decision: root %.1f us, shards %.1f us; %.0f bytes a pod on the wire; %d without shards%n",
          nodes,
          count,
          kinds,
          shards,
          count / seconds,
          (cpuNs() - rootNs) / 1e3 / count,
          (processes.stream().mapToLong(process -> cpuNs(process.pid())).sum() - shardNs)
              / 1e3
              / count,
          (loopbackBytes() - bytes) / count,
          byShards.alone());
    } finally {
      processes.forEach(SchedulerProcess::close);
      server.close();
    }
  }

  /** The cluster's thread while processes start. */
  private static void look(Gatherer gatherer) {
    try {
      while (true) {
        gatherer.look();
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As the root does: windows of pods, those alike together. */
  private static void place(
      List<PlacedPod> pods, int kinds, Decider decider, ByShards byShards, Gatherer gatherer)
      throws InterruptedException {
    for (int from = 0; from < pods.size(); from += WINDOW) {
      int to = Math.min(pods.size(), from + WINDOW);
      gatherer.look();
      for (int kind = 0; kind < kinds; kind++) {
        int left = (to - from - kind + kinds - 1) / kinds;
        for (int i = from + kind; i < to; i += kinds) {
          Decision decision = byShards.decide(pods.get(i), left--);
          decider.apply(decision);
        }
      }
    }
  }

  private static Map<String, Object> node(int i) {
    Map<String, Object> amounts = Map.of("cpu", "16", "memory", "64Gi", "pods", "110");
    Map<String, String> labels =
        Map.of("kubernetes.io/hostname", "node-" + i, PodMix.ZONE, "zone-" + i % 8);
    return Map.of(
        "apiVersion", "v1",
        "kind", "Node",
        "metadata", Map.of("name", "node-" + i, "labels", labels),
        "spec", Map.of(),
        "status", Map.of("allocatable", amounts));
  }

  private static Map<String, Object> pod(int i, int kinds) {
    Map<String, Object> amounts = Map.of("cpu", 50 + 10 * (i % kinds) + "m", "memory", "64Mi");
    Map<String, Object> container =
        Map.of("name", "c", "image", "i", "resources", Map.of("requests", amounts));
    return Map.of(
        "apiVersion", "v1",
        "kind", "Pod",
        "metadata", Map.of("namespace", "default", "name", "pod-" + i, "uid", "uid-" + i),
        "spec", Map.of("schedulerName", "default-scheduler", "containers", List.of(container)),
        "status", Map.of("phase", "Pending"));
  }

  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long cpuNs(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO)
        .toNanos();
  }

  /** What went over this machine's loopback so far. */
  private static long loopbackBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/net/dev"))) {
      String text = line.trim();
      if (text.startsWith("lo:")) {
        return Long.parseLong(text.substring(3).trim().split(" +")[0]);
      }
    }
    throw new IOException("/proc/net/dev has no loopback");
  }
}
