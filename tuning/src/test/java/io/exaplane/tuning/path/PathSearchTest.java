// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.rules.Limit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathSearchTest {
  @ParameterizedTest
  @CsvSource({
    "10000, 1.36, false, 30",
    "100000, 1.36, false, 30",
    "1000000, 1.36, false, 30",
    "10000, 1.37, true, 100",
    "100000, 1.37, true, 100",
    "1000000, 1.32, true, 10",
  })
  void whatIsProposedAppliedAsInputsLeavesNoWarning(
      long nodes, String version, boolean ours, int podsPerNode) {
    Path path = path(Servers.DEFAULT, nodes, version, ours, podsPerNode);
    assertThat(path.fits()).isTrue();
    assertThat(path.left()).isEmpty();
    assertThat(Tuning.of(shape(path.inputs()), Shapes.MATRIX).warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, 100_000, 1_000_000})
  void noChangeCanBeLeftOut(long nodes) {
    Path path = path(Servers.DEFAULT, nodes, "1.36", false, 30);
    for (Change change : path.changes()) {
      Map<String, String> without = new HashMap<>(path.inputs());
      without.remove(change.input());
      if (change.input().equals(Input.REPLICAS.key())) {
        without.put(change.input(), change.from());
      }
      assertThat(Tuning.of(shape(without), Shapes.MATRIX).limits())
          .as("at %d nodes without %s", nodes, change)
          .anyMatch(Limit::isExceeded);
    }
  }

  @Test
  void eachChangeSaysWhatItBringsForALimitThatIsExceeded() {
    Path path = path(Servers.DEFAULT, 1_000_000, "1.36", false, 30);
    assertThat(path.exceeded()).isNotEmpty();
    assertThat(path.changes())
        .extracting(Change::input)
        .contains("kube-proxy", "exaplane-stores", "scheduler-pool", "pod-bytes")
        .as("the work of the cluster is the last thing to change")
        .doesNotContain("pods-per-node", "pod-churn-per-second");
    for (Change change : path.changes()) {
      assertThat(change.gains()).as(change.toString()).isNotEmpty();
      assertThat(change.gains())
          .allSatisfy(gain -> assertThat(gain.after()).as(gain.text()).isNotEqualTo(gain.before()));
    }
    assertThat(path.changes().getFirst().gains().getFirst().limit())
        .as("the first change is for what breaks first")
        .isEqualTo(path.exceeded().getFirst().name());
  }

  @Test
  void aClusterThatFitsIsLeftAlone() {
    Path path = path(Servers.DEFAULT, 1_000, "1.36", true, 30);
    assertThat(path.exceeded()).isEmpty();
    assertThat(path.changes()).isEmpty();
    assertThat(path.fits()).isTrue();
  }

  @Test
  void serversThatAreTooSmallAreSaidToBe() {
    Path path = path("2c,4GiB,1Gbit", 1_000_000, "1.36", false, 30);
    assertThat(path.fits()).isFalse();
    assertThat(path.left()).isNotEmpty();
    assertThat(path.changes()).isNotEmpty();
  }

  @Test
  void largerServersNeedFewerChanges() {
    List<Change> small = path("64c,256GiB,10Gbit", 100_000, "1.36", false, 30).changes();
    List<Change> large = path("192c,2TiB,100Gbit", 100_000, "1.36", false, 30).changes();
    assertThat(large).hasSizeLessThanOrEqualTo(small.size());
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 1_000, 5_000, 20_000, 100_000, 500_000, 1_000_000})
  void aLimitIsExceededExactlyWhereARuleWarns(long nodes) {
    for (String servers : List.of("2c,8GiB,1Gbit", "32c,128GiB,10Gbit", Servers.DEFAULT)) {
      for (boolean ours : List.of(true, false)) {
        Tuning tuning =
            Tuning.of(
                Servers.parse(servers)
                    .carry(
                        Shapes.of(
                            Input.NODES,
                            nodes,
                            Input.EXAPLANE_STORES,
                            ours,
                            Input.LEASE_SECONDS,
                            40)),
                Shapes.MATRIX);
        assertThat(
                tuning.limits().stream().filter(Limit::isExceeded).map(Limit::warning).distinct())
            .as("%d nodes on %s", nodes, servers)
            .containsExactlyInAnyOrderElementsOf(
                tuning.warnings().stream().map(warning -> warning.name()).distinct().toList());
      }
    }
  }

  private static Path path(
      String servers, long nodes, String version, boolean ours, int podsPerNode) {
    Shape shape =
        Shapes.of(
            Input.NODES,
            nodes,
            Input.KUBERNETES_VERSION,
            version,
            Input.EXAPLANE_STORES,
            ours,
            Input.PODS_PER_NODE,
            podsPerNode);
    return PathSearch.of(Servers.parse(servers).carry(shape), Shapes.MATRIX).path();
  }

  private static Shape shape(Map<String, String> inputs) {
    Map<Input, String> known = new EnumMap<>(Input.class);
    inputs.forEach((key, value) -> known.put(Input.byKey(key).orElseThrow(), value));
    return Shape.of(known, Shapes.MATRIX);
  }
}
