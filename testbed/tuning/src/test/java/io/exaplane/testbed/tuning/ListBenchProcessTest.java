// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.ListBench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What 'exactl lists bench' does, at a real kube-apiserver with some two thousand pods. */
@ExtendWith(ControlPlanes.Given.class)
class ListBenchProcessTest {
  /** The server's CPU time comes in hundredths of a second, and ten are well seen. */
  private static final double LEAST_SECONDS = 0.2;

  @TempDir private Path folder;

  @Test
  void everyWayToListIsMeasured(ControlPlanes controlPlanes) throws Exception {
    try (ControlPlane controlPlane = controlPlanes.shared(folder);
        ApiServer server = ApiServer.connect(controlPlane.kubeconfig())) {
      int pods =
          controlPlanes.pods().byNamespace().values().stream().mapToInt(Integer::intValue).sum();
      Map<String, ListBench.Row> rows =
          new ListBench(server, "pods", Optional.empty(), 3, LEAST_SECONDS)
              .run().stream()
                  .collect(Collectors.toMap(row -> row.variant().name(), Function.identity()));
      rows.values().forEach(row -> System.out.printf("%s%n", row));
      ListBench.Row plain = rows.get("resourceVersion=0");
      for (String all :
          List.of(
              "resourceVersion unset",
              "resourceVersion=0",
              "resourceVersion=0, limit=500",
              "pages of 500",
              "not older than",
              "exact",
              "metadata only")) {
        assertThat(rows.get(all).problem()).as(all).isEmpty();
        assertThat(rows.get(all).objects()).as(all).hasValue(pods);
      }
      assertThat(rows.get("label that none has").objects()).hasValue(0);
      assertThat(rows.get("one node's, resourceVersion=0").objects().orElseThrow())
          .isBetween(1L, pods / 2L);
      assertThat(rows.get("metadata only").bytes()).isLessThan(plain.bytes() * 2 / 3);
      assertThat(rows.get("protobuf").bytes()).isLessThan(plain.bytes());
      assertThat(rows.get("gzip").bytes()).isLessThan(plain.bytes() / 4);
      assertThat(rows.values()).allMatch(row -> row.requests() >= 3 || row.problem().isPresent());
      assertThat(plain.cpuMillis()).as("two thousand pods are seen").isPositive();
      ListBench.Row watchList = rows.get("watch-list");
      if (Clusters.isOn("WatchList")) {
        assertThat(watchList.objects()).hasValue(pods);
      } else {
        assertThat(watchList.problem()).as("it is refused, and said so").isPresent();
      }
    }
  }
}
