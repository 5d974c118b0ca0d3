// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.apf.FlowControl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node's agent lists 512 MB of pods as fast as it can while the other nodes renew their Leases.
 */
@Tag("long")
class StormProcessTest {
  private static final int POD_BYTES = 20_000;
  private static final int PODS = 512_000_000 / POD_BYTES;
  private static final int CONNECTIONS = 8;
  private static final int RENEWALS_PER_SECOND = 100;
  private static final Duration LENGTH = Duration.ofSeconds(60);
  private static final int ATTEMPTS_AT_ONCE = 12;
  @TempDir private Path folder;

  @Test
  void renewalsOfLeasesGetThrough() throws Exception {
    Tuning tuning = Clusters.tuning(5_000, Asked.SMALL_API_SERVER);
    try (ControlPlane controlPlane =
        ControlPlane.start(folder, tuning, List.of("--disable-admission-plugins=ServiceAccount"))) {
      controlPlane.admit("kubelets", Kubelets.GROUP);
      Renewals.create(controlPlane);
      createPods(controlPlane);
      System.out.println("calm:            " + renew(controlPlane));
      System.out.println("without objects: " + renewInStorm(controlPlane, "without"));
      controlPlane.apply(FlowControl.of(tuning.estimate(), Clusters.MATRIX));
      awaitLevel(controlPlane);
      Renewals.Seen with = renewInStorm(controlPlane, "with");
      System.out.println("with objects:    " + with);
      assertThat(with.percentile(0.99)).as("ms at the 99th percentile").isLessThan(1_000);
      assertThat(with.failed() + with.refused()).isZero();
      assertThat(with.millis()).hasSize((int) (RENEWALS_PER_SECOND * LENGTH.toSeconds()));
    }
  }

  private static Renewals.Seen renew(ControlPlane controlPlane) throws Exception {
    return Renewals.run(controlPlane, RENEWALS_PER_SECOND, LENGTH);
  }

  private Renewals.Seen renewInStorm(ControlPlane controlPlane, String name) throws Exception {
    Path log = folder.resolve("storm-" + name + ".log");
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            StormClient.class.getName(),
            controlPlane.uri("/api/v1/pods?resourceVersion=0").toString(),
            Kubelets.token(0),
            Integer.toString(CONNECTIONS));
    try (CpuQuota half = CpuQuota.of(0.5)) {
      Process storm =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        half.take(storm.pid());
        return renew(controlPlane);
      } finally {
        storm.destroyForcibly().onExit().join();
        assertThat(largestMegabytes(name, Files.readAllLines(log)))
            .as("a storm it was")
            .isGreaterThan(500);
      }
    }
  }

  /** Prints what the storm was answered, and returns how large the largest answer was. */
  private static long largestMegabytes(String name, List<String> answers) {
    List<String[]> lists = answers.stream().map(line -> line.split(" ")).toList();
    long largest =
        lists.stream()
                .filter(list -> list[0].equals("200"))
                .mapToLong(list -> Long.parseLong(list[1]))
                .max()
                .orElse(0)
            / 1_000_000;
    System.out.printf(
        "storm %s: %d LISTs of %d MB answered, %d with 429, %d failed%n",
        name,
        lists.stream().filter(list -> list[0].equals("200")).count(),
        largest,
        lists.stream().filter(list -> list[0].equals("429")).count(),
        lists.stream().filter(list -> list[0].equals("0")).count());
    return largest;
  }

  /** The server takes new levels up by itself, within some seconds. */
  private static void awaitLevel(ControlPlane controlPlane) throws Exception {
    String level = "nominal_limit_seats{priority_level=\"" + FlowControl.NODE_READS + "\"}";
    Await.until(level, () -> Http.get(controlPlane.uri("/metrics")).body().contains(level));
  }

  private static void createPods(ControlPlane controlPlane) throws Exception {
    controlPlane.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"large\"}}");
    String filler = "x".repeat(POD_BYTES - 600);
    List<Callable<Void>> creations = new ArrayList<>();
    for (int i = 0; i < PODS; i++) {
      String pod =
          """
          {"metadata":{"name":"p%d","annotations":{"filler":"%s"}},
           "spec":{"nodeName":"node-%d","containers":[{"name":"c","image":"registry.example.org/image:1"}]}}
          """
              .formatted(i, filler, i % 500);
      creations.add(
          () -> {
            controlPlane.create("/api/v1/namespaces/large/pods", pod);
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(ATTEMPTS_AT_ONCE)) {
      for (Future<Void> done : threads.invokeAll(creations)) {
        done.get();
      }
    }
  }
}
