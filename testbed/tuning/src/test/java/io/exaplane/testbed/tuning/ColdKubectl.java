// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Kubernetes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A kubectl that knows nothing of the server when it begins, and whose discovery can be set. */
final class ColdKubectl {
  private static final int RUNS = 3;
  private final Path kubeconfig;
  private final Path folder;

  ColdKubectl(ControlPlane controlPlane, Path folder) throws Exception {
    this.kubeconfig = controlPlane.kubeconfig();
    this.folder = folder;
  }

  /**
   * Seconds with one document for all GroupVersions: the middle one of three, so that a moment in
   * which the machine was busy does not decide.
   */
  double aggregated() throws Exception {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      seconds.add(getPods(Map.of()));
    }
    return middle(seconds);
  }

  /**
   * Seconds with a request for each GroupVersion: the middle one of three beside each other, which
   * wait for their limiters nearly all the time. Some GroupVersions may be gone for a moment where
   * the server lags behind, and one client alone would not tell.
   */
  double unaggregated(int burst, int rate) throws Exception {
    Map<String, String> environment =
        Map.of(
            "DISCOVERY", "unaggregated",
            "DISCOVERY_BURST", Integer.toString(burst),
            "DISCOVERY_QPS", Integer.toString(rate));
    List<Double> seconds = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Double>> runs = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        runs.add(threads.submit(() -> getPods(environment)));
      }
      for (Future<Double> run : runs) {
        seconds.add(run.get());
      }
    }
    return middle(seconds);
  }

  private static double middle(List<Double> seconds) {
    return seconds.stream().sorted().toList().get(seconds.size() / 2);
  }

  private double getPods(Map<String, String> environment) throws Exception {
    Path cache = Files.createTempDirectory(folder, "cache");
    Path log = cache.resolve("kubectl.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Kubernetes.binary("kubectl-discovery"),
                "--kubeconfig=" + kubeconfig,
                "--cache-dir=" + cache,
                "get",
                "pods")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    long start = System.nanoTime();
    int code = builder.start().waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat(code).as(Files.readString(log)).isZero();
    return seconds;
  }
}
