// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardStatesTest {
  @ParameterizedTest
  @CsvSource({
    "JournalStalled, refuses writes",
    "SpaceExceeded, refuses writes that add data",
    "PrefixSpaceExceeded, refuses some writes",
  })
  void aFullPrefixIsNotAFullStore(String reason, String extent) {
    Condition refusal = new Condition("CapacityAvailable", "False", reason, "m", null, 1L);
    assertThat(ShardStates.extent(refusal)).isEqualTo(extent);
  }

  @ParameterizedTest
  @CsvSource({
    "True, True, ",
    "False, True, JournalStalled",
    "True, False, SpaceExceeded",
    "False, False, JournalStalled",
    "Unknown, Unknown, ",
  })
  void aStoreThatTakesNoWritesSaysWhy(String journal, String capacity, String reason) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: s, namespace: ns}
            status:
              conditions:
              - {type: Ready, status: "True", reason: AsExpected, message: m}
              - {type: WalHealthy, status: "%s", reason: JournalStalled, message: m}
              - {type: CapacityAvailable, status: "%s", reason: SpaceExceeded, message: m}
            """
                .formatted(journal, capacity),
            StoreShard.class);
    assertThat(ShardStates.refusal(shard).map(Condition::reason).orElse(null)).isEqualTo(reason);
  }
}
