// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The watches of a node by their names. */
class WatchPlanTest {
  private static Map<String, Long> byResource(String text) {
    return WatchPlan.of(text).stream()
        .collect(
            Collectors.groupingBy(WatchPlan.Entry::resource, TreeMap::new, Collectors.counting()));
  }

  @Test
  void theEighteenWatchesAreThoseThatWereCounted() {
    assertThat(byResource("k3s"))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("configmaps", 4L),
                Map.entry("pods", 2L),
                Map.entry("secrets", 2L),
                Map.entry("services", 2L),
                Map.entry("nodes", 2L),
                Map.entry("namespaces", 1L),
                Map.entry("endpoints", 1L),
                Map.entry("csidrivers", 1L),
                Map.entry("runtimeclasses", 1L),
                Map.entry("endpointslices", 1L),
                Map.entry("networkpolicies", 1L)));
    assertThat(WatchPlan.of("k3s")).hasSize(18);
  }

  @Test
  void aKubeletAsksForItsOwnObjects() {
    assertThat(WatchPlan.of("kubelet"))
        .hasSize(5)
        .allMatch(WatchPlan.Entry::asNode)
        .extracting(entry -> entry.pathOf("n1"))
        .contains(
            "/api/v1/nodes?fieldSelector=metadata.name%3Dn1",
            "/api/v1/pods?fieldSelector=spec.nodeName%3Dn1");
    assertThat(WatchPlan.of("none")).isEmpty();
    assertThat(WatchPlan.of("none,configmaps=3")).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pod             | watches: 'pod' names the unknown watch 'pod'; choose from none, kubelet
          kubelet,        | names the unknown watch ''
          configmaps      | must have a count up to 100 behind configmaps=
          secrets=101     | must have a count up to 100 behind secrets=
          secrets=-1      | must have a count
          """)
  void whatIsUnknownIsNamed(String text, String message) {
    assertThatThrownBy(() -> WatchPlan.of(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }
}
