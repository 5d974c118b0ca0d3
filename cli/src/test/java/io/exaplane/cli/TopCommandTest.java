// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopCommandTest {
  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api = new PlaneApi(folder).with(PlaneFixtures.DOWN);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void containersHaveTheirUseBesideTheirLimit() throws IOException {
    api.with(PlaneFixtures.WELL)
        .with(
            """
            kind: PodMetrics
            metadata: {name: well-apiserver-1}
            containers: [{name: kube-apiserver, usage: {cpu: 250000000n, memory: 512Mi}}]
            """);
    assertThat(api.run("top", "well")).as("%s", api.err).isZero();
    assertThat(api.out.toString())
        .containsPattern("well-apiserver-1 +kube-apiserver +0.250 +512.* +1.* +50 % +0");
    api.run("top", "well", "-o=json");
    assertThat(api.document().at("/containers/0/percent").asInt()).isEqualTo(50);
  }

  @Test
  void storesHaveWhatTheyHold() {
    api.run("top", "demo");
    assertThat(api.out.toString())
        .containsPattern("demo-default-0 +store +- +- +- +- +4")
        .containsPattern("demo-default +1,200 +5.* +10");
  }

  @Test
  void withoutMeasurementsTheRestIsShown() {
    api.forbid("list pods.metrics");
    assertThat(api.run("top", "demo")).isZero();
    assertThat(api.out.toString())
        .contains("not shown: the account has no right to list pods.metrics.k8s.io")
        .contains("sched-root-0");
  }
}
