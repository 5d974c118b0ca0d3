// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.GuardVerdict;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Verdict;
import java.time.Clock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeEvictionsAllowedConditionTest {
  private static final String NUMBERS = "15 of 20 nodes did not renew.";

  @ParameterizedTest
  @CsvSource({
    // mode, frozen, cause, counts, refusal, status, reason, words
    "Enforce, false, , true, '', True, AsExpected, may evict",
    "Observe, false, , true, '', True, AsExpected, may evict",
    "Enforce, false, , false, '', True, LeasesNotCounted, ports 2379 and 2381",
    "Off, false, , true, '', True, GuardOff, spec.guard.mode",
    "Enforce, true, LeasesMissed, true, '', False, LeasesMissed, 15 of 20 nodes",
    "Enforce, true, LeasesMissed, true, '', False, LeasesMissed, until 5 checks",
    "Enforce, true, LeasesMissed, true, '', False, LeasesMissed, set spec.guard.mode to Observe",
    "Enforce, true, EndpointUnreachable, true, '', False, EndpointUnreachable, see EndpointReady",
    "Enforce, true, LeaseStoreUnreachable, true, '', False, LeaseStoreUnreachable, See StoresReady",
    "Observe, true, LeasesMissed, true, '', True, LeasesMissed, would hold back",
    "Enforce, true, LeasesMissed, true, 'forbidden', True, FreezeRefused, refuses: forbidden",
    "Enforce, false, , true, 'forbidden', True, FreezeRefused, let evictions continue"
  })
  void itTellsWhatIsHeldBackAndWhy(
      GuardMode mode,
      boolean isFrozen,
      Reason cause,
      boolean counts,
      String refusal,
      String status,
      Reason reason,
      String words) {
    Verdict verdict =
        NodeEvictionsAllowedCondition.of(
            new GuardVerdict(mode, isFrozen, cause, NUMBERS, counts, refusal, null),
            GuardSpec.of(null));
    assertThat(verdict.status()).isEqualTo(status);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(words);
    // An assertion there asks for the next action.
    new ConditionSet(null, 1L, Clock.systemUTC()).set(ConditionType.NodeEvictionsAllowed, verdict);
  }
}
