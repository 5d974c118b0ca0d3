// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.usage.StoreUsage.Traffic;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficObservedConditionTest {
  /** A store that had writes once is never said to have none: a quiet night is no wrong route. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // what the store saw, told before, was True before, status, reason
        "AWAITED,  false, false, Unknown, Starting",
        "AWAITED,  true,  false, -,       -",
        "OBSERVED, true,  false, True,    AsExpected",
        "NONE,     true,  false, False,   NoTraffic",
        "NONE,     true,  true,  -,       -",
      })
  void aRouteThatLeadsNowhereIsSeen(
      Traffic traffic, boolean known, boolean wasMet, String status, Reason reason) {
    Optional<Verdict> verdict = TrafficObservedCondition.of(traffic, known, wasMet);
    assertThat(verdict.map(Verdict::status).orElse(null)).isEqualTo(status);
    assertThat(verdict.map(Verdict::reason).orElse(null)).isEqualTo(reason);
  }
}
