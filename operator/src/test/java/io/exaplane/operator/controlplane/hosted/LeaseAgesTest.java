// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.LeaseLook;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseAgesTest {
  private static final GuardPolicy POLICY =
      GuardPolicy.of(GuardSpec.of(null), Duration.ofSeconds(50));

  @Test
  void theAgesOfThePolicyAreAskedFor() {
    assertThat(LeaseAges.question(POLICY))
        .isEqualTo("/ages?prefix=/registry/leases/kube-node-lease/&ms=37500&ms=900000");
  }

  @ParameterizedTest
  @CsvSource({
    // keys, restored, counting, stale, dead -> alive, missed, dead
    "100, 0, 5000000, 10, 3, 90, 7, 3",
    "100, 0, 1000, 0, 0, 100, 0, 0",
    // of 20 that were restored nothing is known
    "100, 20, 30000, 0, 0, 80, 0, 0",
    "100, 20, 40000, 25, 0, 75, 5, 0",
    "100, 20, 5000000, 30, 25, 70, 5, 5",
    "0, 0, 5000000, 0, 0, 0, 0, 0"
  })
  void keysAreCounted(
      long keys, long restored, long counting, long stale, long dead, long a, long m, long d) {
    String page =
        """
        {"prefix":"/registry/leases/kube-node-lease/","keys":%d,"restoredKeys":%d,"countingMs":%d,"unwritten":[{"ms":37500,"keys":%d},{"ms":900000,"keys":%d}]}
        """
            .formatted(keys, restored, counting, stale, dead);
    assertThat(LeaseAges.parse(page, POLICY))
        .contains(LeaseLook.counted(a, m, d).countedFor(Duration.ofMillis(counting)));
  }

  @Test
  void writesAreCountedByStoresThatTellThem() {
    assertThat(LeaseAges.renewals())
        .isEqualTo("/ages?prefix=/registry/leases/kube-node-lease/&ms=1000");
    assertThat(LeaseAges.count("{\"keys\":3,\"writes\":412,\"countingMs\":60000}", "u"))
        .contains(new LeaseCount("u", 412, 60_000));
    assertThat(LeaseAges.count("{\"keys\":3,\"countingMs\":60000}", "u"))
        .as("of an earlier version")
        .isEmpty();
    assertThat(LeaseAges.count("404 page not found", "u")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "404 page not found", "[]", "{\"keys\":1}", "{\"keys\":\"1\"}"})
  void anotherPageIsNoAnswer(String page) {
    assertThat(LeaseAges.parse(page, POLICY)).isEmpty();
  }
}
