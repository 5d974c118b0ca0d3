// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Http;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What compression gives and costs, over a slow and over a fast network. */
@Tag("long")
class SlowNetworkProcessTest {
  private static final int SLOW_MBPS = 2;
  private static final int FAST_MBPS = 1_000;
  private static final int RUNS = 15;
  private static final Pattern CPU = Pattern.compile("(?m)^process_cpu_seconds_total (\\S+)");
  @TempDir private Path folder;

  private record Seen(double bytes, double seconds, double cpuMillis) {}

  @Test
  void gzipIsForSlowNetworks() throws Exception {
    try (ControlPlane controlPlane =
            ControlPlane.start(
                folder,
                Clusters.tuning(100),
                List.of("--disable-admission-plugins=ServiceAccount", "--bind-address=0.0.0.0"));
        ShapedLink link = new ShapedLink()) {
      ListedPods.create(controlPlane, new Random(1));
      for (int bandwidth : new int[] {SLOW_MBPS, FAST_MBPS}) {
        link.limit(bandwidth);
        Seen plain = list(controlPlane, link, "identity");
        Seen gzip = list(controlPlane, link, "gzip");
        System.out.printf(
            "%d MB/s: plain %.0f KB, %.3f s, %.1f ms of the server's CPU; gzip %.0f KB, %.3f s, %.1f ms%n",
            bandwidth,
            plain.bytes() / 1e3,
            plain.seconds(),
            plain.cpuMillis(),
            gzip.bytes() / 1e3,
            gzip.seconds(),
            gzip.cpuMillis());
        assertThat(gzip.bytes()).isLessThan(plain.bytes() / 4);
        if (bandwidth == SLOW_MBPS) {
          // The bytes decide: they take a second and more.
          assertThat(plain.seconds()).isGreaterThan(0.8 * plain.bytes() / 1e6 / SLOW_MBPS);
          assertThat(gzip.seconds()).isLessThan(plain.seconds());
        }
      }
    }
  }

  /** The middle one of several. */
  private static Seen list(ControlPlane controlPlane, ShapedLink link, String encoding)
      throws Exception {
    String url =
        controlPlane
            .uri("/api/v1/pods?resourceVersion=0")
            .toString()
            .replace("127.0.0.1", ShapedLink.SERVER);
    double bytes = 0;
    double[] seconds = new double[RUNS];
    double before = cpuSeconds(controlPlane);
    for (int i = 0; i < RUNS; i++) {
      double[] answer = link.get(url, Http.TOKEN, encoding);
      bytes = answer[0];
      seconds[i] = answer[1];
    }
    double cpu = cpuSeconds(controlPlane) - before;
    Arrays.sort(seconds);
    return new Seen(bytes, seconds[RUNS / 2], 1e3 * cpu / RUNS);
  }

  private static double cpuSeconds(ControlPlane controlPlane) throws Exception {
    Matcher cpu = CPU.matcher(Http.get(controlPlane.uri("/metrics")).body());
    assertThat(cpu.find()).isTrue();
    return Double.parseDouble(cpu.group(1));
  }
}
