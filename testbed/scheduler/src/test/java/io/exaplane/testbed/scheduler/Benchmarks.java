// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What benchmarks on a real API server have in common. */
final class Benchmarks {
  private Benchmarks() {}

  interface Work {
    void of(int i);
  }

  static void parallel(int count, Work work) throws InterruptedException {
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(
                part ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int i = part; i < count; i += 8) {
                                work.of(i);
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  static Server scheduler(String which, Path folder, LiveApi api) throws Exception {
    int port = Machine.freePort();
    if (which.equals("exaplane")) {
      List<String> words =
          new java.util.ArrayList<>(
              List.of(Machine.environment("EXA_SCHEDULER").trim().split(" +")));
      words.add("--kubeconfig=" + api.kubeconfig());
      return Server.start(
          words,
          Map.of("EXAPLANE_HTTP_PORT", "" + port),
          URI.create("http://127.0.0.1:" + port + "/q/health/live"),
          folder.resolve("scheduler.log"));
    }
    Path config =
        Files.writeString(
            folder.resolve("scheduler.yaml"),
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            percentageOfNodesToScore: %s
            leaderElection: {leaderElect: false}
            clientConnection: {kubeconfig: %s, qps: 20000, burst: 40000}
            """
                .formatted(System.getProperty("percentage", "0"), api.kubeconfig()));
    return Server.start(
        List.of(
            Kubernetes.binary("kube-scheduler"),
            "--config=" + config,
            "--authorization-always-allow-paths=/metrics,/healthz",
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + folder.resolve("scheduler")),
        Map.of(),
        URI.create("https://127.0.0.1:" + port + "/healthz"),
        folder.resolve("scheduler.log"));
  }

  static long bound(String which, Server scheduler) throws Exception {
    URI page = scheduler.page();
    boolean ours = which.equals("exaplane");
    String metrics = Http.get(page.resolve(ours ? "/q/metrics" : "/metrics")).body();
    return metrics
        .lines()
        .filter(
            line ->
                ours
                    ? line.startsWith("exaplane_scheduler_pods_bound_total")
                    : line.startsWith("scheduler_schedule_attempts_total")
                        && line.contains("result=\"scheduled\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  static double cpu(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .map(ns -> ns / (double) TimeUnit.SECONDS.toNanos(1))
        .orElse(0.0);
  }
}
