// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.PrefixRule;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrefixRulesTest {
  private static final String EVENTS = "/registry/events/";
  private static final String MINE = "/registry/events/mine/";

  @Test
  void aPrefixMayHaveBoth() {
    assertThat(
            PrefixRules.of(
                Durability.FSYNC, Map.of(EVENTS, Durability.MEMORY), Map.of(EVENTS, 1000L)))
        .containsExactly(new PrefixRule(EVENTS, 1000, Durability.MEMORY));
  }

  @Test
  void aQuotaLeavesTheDurabilityThatTheKeysHave() {
    assertThat(
            PrefixRules.of(
                Durability.FSYNC,
                Map.of("/registry/", Durability.BUFFERED, EVENTS, Durability.MEMORY),
                Map.of(MINE, 10L, "/other/", 20L)))
        .contains(
            new PrefixRule(MINE, 10, Durability.MEMORY),
            new PrefixRule("/other/", 20, Durability.FSYNC));
  }

  @Test
  void aLongerPrefixCountsWhateverTheOrder() {
    assertThat(
            PrefixRules.of(
                Durability.MEMORY,
                Map.of(MINE, Durability.FSYNC, EVENTS, Durability.BUFFERED),
                Map.of()))
        .containsExactly(
            new PrefixRule(EVENTS, 0, Durability.BUFFERED),
            new PrefixRule(MINE, 0, Durability.FSYNC));
  }
}
