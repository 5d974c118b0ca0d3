// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 6 (g): a store has grown when its pod uses the volume; others wait for that. */
class VolumeSizedConditionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // before | step | the StatefulSet's status | VolumeSized
        "False | DONE | {observedGeneration: 1, currentRevision: a, updateRevision: a, readyReplicas: 1} | False",
        "False | DONE | {observedGeneration: 2, currentRevision: a, updateRevision: b, readyReplicas: 1} | False",
        "False | DONE | {observedGeneration: 2, currentRevision: b, updateRevision: b} | False",
        "False | DONE | {observedGeneration: 2, currentRevision: b, updateRevision: b, readyReplicas: 1} | True",
        // one that grew long ago and restarts for another reason
        "True | DONE | {observedGeneration: 2, currentRevision: a, updateRevision: b} | True",
        "- | DONE | {observedGeneration: 2, currentRevision: a, updateRevision: b} | True",
        "True | VOLUME | {observedGeneration: 2, currentRevision: b, updateRevision: b, readyReplicas: 1} | False",
        "- | REFUSED | {observedGeneration: 2, currentRevision: b, updateRevision: b, readyReplicas: 1} | False",
      })
  void whenAStoreHasGrown(String before, ClaimGrowth.Step step, String status, String expected) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: s, namespace: ns}
            """,
            StoreShard.class);
    StatefulSet set =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: s, namespace: ns, generation: 2}
            status: %s
            """
                .formatted(status),
            StatefulSet.class);
    Optional<Condition> known =
        before.equals("-")
            ? Optional.empty()
            : Optional.of(
                new Condition(
                    "VolumeSized", before, "AsExpected", "m", "2026-01-01T00:00:00Z", 1L));
    Verdict verdict =
        VolumeSizedCondition.of(
            shard,
            new ClaimGrowth(step, new Quantity("20Gi"), new Quantity("20Gi"), Optional.empty()),
            known,
            Optional.of(set));
    assertThat(verdict.status()).isEqualTo(expected);
    assertThat(verdict.reason())
        .isEqualTo(
            verdict.met()
                ? Reason.AsExpected
                : step == ClaimGrowth.Step.REFUSED ? Reason.VolumeCantGrow : Reason.VolumeGrowing);
  }
}
