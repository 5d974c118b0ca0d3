// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Renewals that a store counted, and how seldom the status changes for them. */
class LeaseRateTest {
  private final LeaseRateProbe probe = new LeaseRateProbe(null);

  private static ControlPlane telling(Integer seen) {
    return Serialization.unmarshal(
        """
        metadata: {name: demo, uid: u}
        status: {nodes: {pools: 1, registered: 1, ready: 1, maxNodes: 1, leaseRenewalsPerSecond: {expected: 1, seen: %s}}}
        """
            .formatted(seen),
        ControlPlane.class);
  }

  private Set<LeaseRate> next(Integer told, String store, long writes, long seconds) {
    return probe.next("u", telling(told), new LeaseCount(store, writes, 1_000 * seconds));
  }

  private static Set<LeaseRate> rate(int perSecond) {
    return Set.of(new LeaseRate(OptionalInt.of(perSecond)));
  }

  @ParameterizedTest
  @CsvSource({
    // told, measured -> to be told
    ", 0, 0",
    ", 0.3, 1",
    ", 9.6, 10",
    ", 12345, 12000",
    ", 99600, 100000",
    "1, 0.1, 1",
    "1, 1.9, 1",
    "1, 0, 0",
    "0, 0.1, 1",
    "1, 2.1, 2",
    "100, 109, 100",
    "100, 112, 110",
    "10000, 9100, 10000",
    "10000, 8940, 8900"
  })
  void whatIsToldChangesForMoreThanATenth(Integer told, double measured, int tells) {
    OptionalInt before = told == null ? OptionalInt.empty() : OptionalInt.of(told);
    assertThat(LeaseRate.of(before, measured).perSecond()).hasValue(tells);
  }

  @Test
  void aSteadyRateIsToldOnce() {
    Random random = new Random(7);
    OptionalInt told = OptionalInt.empty();
    int writes = 0;
    for (int minute = 0; minute < 1_000; minute++) {
      OptionalInt next = LeaseRate.of(told, 1_000 + 20 * random.nextGaussian()).perSecond();
      writes += next.equals(told) ? 0 : 1;
      told = next;
    }
    assertThat(writes).as("of the status in 1,000 minutes").isLessThanOrEqualTo(2);
  }

  @Test
  void aRateIsThatBetweenTwoCountsOfOneStore() {
    assertThat(next(null, "a", 1_000, 100)).as("one count").isEmpty();
    assertThat(next(null, "a", 1_600, 160)).isEqualTo(rate(10));
    assertThat(next(10, "a", 1_700, 165)).as("too early").isEqualTo(rate(10));
    assertThat(next(10, "a", 2_800, 220)).as("since 160 s").isEqualTo(rate(20));
    assertThat(next(20, "a", 50, 30)).as("the store restarted").isEqualTo(rate(20));
    assertThat(next(20, "a", 110, 90)).isEqualTo(rate(1));
    assertThat(next(1, "b", 90_000, 500)).as("another store").isEqualTo(rate(1));
    assertThat(next(1, "b", 90_000, 560)).as("nobody renews").isEqualTo(rate(0));
  }

  @Test
  void aStoreThatIsNotThereIsNotAsked() {
    assertThat(probe.look(telling(null))).isEmpty();
  }
}
