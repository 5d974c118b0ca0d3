// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DegradedConditionTest {
  @ParameterizedTest
  @CsvSource({
    "CapacityAvailable, True, AsExpected, false, AsExpected, Everything works.",
    "CapacityAvailable, True, SpaceScarce, false, AsExpected, Everything works.",
    "CapacityAvailable, True, SpaceNearlyExceeded, true, SpaceNearlyExceeded, store demo-default: Do this.",
    "CapacityAvailable, False, SpaceExceeded, true, SpaceExceeded, refuses writes that add "
        + "data: Do this.",
    "CapacityAvailable, False, PrefixSpaceExceeded, true, PrefixSpaceExceeded, refuses "
        + "some writes: Do this.",
    "VolumeSized, False, VolumeCantGrow, true, VolumeCantGrow, store demo-default: Do this.",
    "WalHealthy, False, JournalStalled, true, JournalStalled, refuses writes: Do this.",
  })
  void aStoreThatRefusesWritesOrSoonWillIsNamed(
      String condition, String status, String said, boolean met, Reason reason, String words) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default, namespace: ns}
            spec: {tls: {secretRef: {name: t}}}
            status: {conditions: [{type: %s, status: "%s", reason: %s, message: Do this.}]}
            """
                .formatted(condition, status, said),
            StoreShard.class);
    Verdict verdict =
        DegradedCondition.of(observed(List.of(shard)), Optional.empty(), List.of(), true);
    assertThat(verdict.met()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(words);
    Verdict before =
        DegradedCondition.of(observed(List.of(shard)), Optional.empty(), List.of(), false);
    assertThat(before.met()).as("before all is there").isFalse();
    assertThat(before.message()).contains("was never complete. See Progressing");
  }

  @Test
  void aStoreThatDoesNotServeAndAnAddressThatIsLostAreNamed() {
    Store away =
        Serialization.unmarshal(
            "name: default\nshard: demo-default\ncriticality: Critical\nready: false", Store.class);
    Verdict store =
        DegradedCondition.of(observed(List.of()), Optional.empty(), List.of(away), true);
    assertThat(store.reason()).isEqualTo(Reason.StoreUnavailable);
    assertThat(store.message()).contains("store demo-default does not serve");
    Optional<Problem> lost =
        Optional.of(new Problem(Reason.AddressLost, "fd00::1 is gone. Do this."));
    Verdict address =
        DegradedCondition.of(observed(List.of(), lost), Optional.empty(), List.of(), true);
    assertThat(address.reason()).isEqualTo(Reason.AddressLost);
  }

  private static Observed observed(List<StoreShard> shards) {
    return observed(shards, Optional.empty());
  }

  private static Observed observed(List<StoreShard> shards, Optional<Problem> endpoint) {
    return new Observed(
        Fixtures.sized(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}")),
        shards,
        Optional.empty(),
        Optional.empty(),
        endpoint,
        Fixtures.nothingIssued(),
        Optional.empty(),
        List.of(),
        List.of(),
        new Scheduling(Optional.empty(), Optional.empty(), false));
  }
}
