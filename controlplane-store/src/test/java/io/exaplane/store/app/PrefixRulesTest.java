// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.PrefixRule;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrefixRulesTest {
  private static final String EVENTS = "/registry/events/";
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String MINE = "/registry/events/mine/";

  @Test
  void aPrefixMayHaveAll() {
    assertThat(
            PrefixRules.of(
                Durability.FSYNC,
                Map.of(EVENTS, Durability.MEMORY),
                Map.of(EVENTS, 1000L),
                Map.of(EVENTS, MINUTE),
                Set.of()))
        .containsExactly(new PrefixRule(EVENTS, 1000, Durability.MEMORY, 60_000));
  }

  @Test
  void aQuotaLeavesTheDurabilityThatTheKeysHave() {
    assertThat(
            PrefixRules.of(
                Durability.FSYNC,
                Map.of("/registry/", Durability.BUFFERED, EVENTS, Durability.MEMORY),
                Map.of(MINE, 10L, "/other/", 20L),
                Map.of(),
                Set.of()))
        .contains(
            new PrefixRule(MINE, 10, Durability.MEMORY),
            new PrefixRule("/other/", 20, Durability.FSYNC));
  }

  @Test
  void aQuotaLeavesTheHistoryThatTheKeysHave() {
    assertThat(
            PrefixRules.of(
                Durability.FSYNC,
                Map.of(),
                Map.of(MINE, 10L, "/other/", 20L),
                Map.of(EVENTS, MINUTE),
                Set.of()))
        .containsExactly(
            new PrefixRule("/other/", 20, Durability.FSYNC),
            new PrefixRule(EVENTS, 0, Durability.FSYNC, 60_000),
            new PrefixRule(MINE, 10, Durability.FSYNC, 60_000));
  }

  @Test
  void aLongerPrefixCountsWhateverTheOrder() {
    assertThat(
            PrefixRules.of(
                Durability.MEMORY,
                Map.of(MINE, Durability.FSYNC, EVENTS, Durability.BUFFERED),
                Map.of(),
                Map.of(),
                Set.of()))
        .containsExactly(
            new PrefixRule(EVENTS, 0, Durability.BUFFERED),
            new PrefixRule(MINE, 0, Durability.FSYNC));
  }
}
