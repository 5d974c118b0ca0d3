// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.PoolFallbackMode;
import io.exaplane.api.v1alpha1.PoolFallbackSpec;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FallbackPolicyTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Instant at(int seconds) {
    return NOON.plusSeconds(seconds);
  }

  private static FallbackPolicy nobodySince(Integer seconds) {
    return new FallbackPolicy(
        null,
        Optional.empty(),
        Optional.ofNullable(seconds).map(s -> at(s)),
        Optional.empty(),
        false);
  }

  private static FallbackPolicy runs(int since, Integer rootReadyAt) {
    return new FallbackPolicy(
        null,
        Optional.of(at(since)),
        Optional.empty(),
        Optional.ofNullable(rootReadyAt).map(s -> at(s)),
        false);
  }

  @Test
  void comesWhenNobodyWasInChargeForLongEnough() {
    assertThat(nobodySince(null).standsIn(at(1000))).isFalse();
    assertThat(nobodySince(0).standsIn(at(59))).isFalse();
    assertThat(nobodySince(0).standsIn(at(60))).isTrue();
    assertThat(nobodySince(0).next()).contains(at(60));
  }

  @Test
  void goesWhenARootIsReadyThatCameAfterIt() {
    assertThat(runs(0, null).standsIn(at(1000))).as("nobody to hand over to").isTrue();
    assertThat(runs(0, -5).standsIn(at(1000)))
        .as("it was ready before, and nobody was in charge")
        .isTrue();
    assertThat(runs(0, 30).standsIn(at(39))).as("it may be about to end").isTrue();
    assertThat(runs(0, 30).standsIn(at(40))).isFalse();
    assertThat(runs(0, 30).next()).contains(at(40));
  }

  @Test
  void goesAtOnceWhenARootLeadsAndInTheSameSecond() {
    assertThat(
            new FallbackPolicy(
                    null, Optional.of(at(0)), Optional.empty(), Optional.of(at(-9)), true)
                .standsIn(at(1)))
        .isFalse();
    assertThat(runs(0, 0).next()).contains(at(10));
  }

  @Test
  void isNeverThereIfNotWanted() {
    PoolFallbackSpec none = new PoolFallbackSpec(PoolFallbackMode.None, null);
    assertThat(
            new FallbackPolicy(none, Optional.empty(), Optional.of(at(0)), Optional.empty(), false)
                .next())
        .as("nothing to look forward to")
        .isEmpty();
    assertThat(
            new FallbackPolicy(none, Optional.empty(), Optional.of(at(0)), Optional.empty(), false)
                .standsIn(at(1000)))
        .isFalse();
    assertThat(
            new FallbackPolicy(none, Optional.of(at(0)), Optional.empty(), Optional.empty(), false)
                .standsIn(at(1000)))
        .isFalse();
  }
}
