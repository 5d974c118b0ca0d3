// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.PriorityLevel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeatsTest {
  private static final List<PriorityLevel> BUILT_IN =
      Shapes.MATRIX.priorityLevels(MinorVersion.of(36));

  @ParameterizedTest
  @CsvSource({
    "system, 74, 184, 368, 735",
    "node-high, 98, 245, 490, 980",
    "leader-election, 25, 62, 123, 245",
    "workload-low, 245, 613, 1225, 2449",
    "global-default, 49, 123, 245, 490",
    "catch-all, 13, 31, 62, 123",
  })
  void nominalSeatsOfTheLevelsThatEveryServerHas(
      String level, int t600, int t1500, int t3000, int t6000) {
    assertThat(nominal(level, 600)).isEqualTo(t600);
    assertThat(nominal(level, 1_500)).isEqualTo(t1500);
    assertThat(nominal(level, 3_000)).isEqualTo(t3000);
    assertThat(nominal(level, 6_000)).isEqualTo(t6000);
  }

  @Test
  void lendingAndBorrowing() {
    Seats nodeHigh = Seats.of(BUILT_IN, 600).get("node-high");
    assertThat(nodeHigh.lower()).isEqualTo(98 - 25);
    assertThat(nodeHigh.upper()).isEqualTo(98 + 600);
  }

  @Test
  void aWriteHoldsASeatForEachTenWhoWatchIt() {
    assertThat(FanOut.seatSeconds(9)).isZero();
    assertThat(FanOut.seatSeconds(10)).isEqualTo(0.005);
    // reference/tuning.md §3.6: 100k nodes, 6 kube-apiservers, workload-high of 600 seats.
    assertThat(FanOut.writesPerSecond(98, 16_667)).isBetween(11.0, 13.0);
    assertThat(FanOut.writesPerSecond(980, 1_667)).isBetween(1_150.0, 1_200.0);
  }

  private static int nominal(String level, int total) {
    Map<String, Seats> seats = Seats.of(BUILT_IN, total);
    return seats.get(level).nominal();
  }
}
