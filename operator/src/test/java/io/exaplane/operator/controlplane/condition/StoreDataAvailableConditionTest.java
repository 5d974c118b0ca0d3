// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreDataAvailableConditionTest {
  private static final ControlPlane DEMO = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");

  @Test
  void aLossSaysSinceWhenWhatWasThereAndWhatTheWaysOutAre() {
    Verdict verdict =
        verdict(
            "PersistentVolume",
            "{dataLoss: {incident: demo-default-1, since: '2026-11-26T10:00:00Z', found: an empty volume, lastRevision: 4711}}");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.StoreDataLost);
    assertThat(verdict.message())
        .startsWith("Since 2026-11-26T10:00:00Z store demo-default finds an empty volume")
        .contains(
            "the last known revision is 4711",
            "restore a snapshot",
            "kubectl -n ns annotate --overwrite controlplane demo exaplane.io/accept-data-loss=demo-default-1");
  }

  @Test
  void anAcceptedLossNeedsNobody() {
    assertThat(
            verdict(
                    "PersistentVolume",
                    "{dataLoss: {incident: demo-default-1, since: '2026-11-26T10:00:00Z', found: x, accepted: true}}")
                .message())
        .contains("was accepted", "No action is needed.")
        .doesNotContain("annotate");
  }

  @Test
  void dataThatGoesWithItsPodIsNamed() {
    for (String type : List.of("EmptyDir", "EmptyDirLosesDataWithPod")) {
      Verdict verdict = verdict(type, "{}");
      assertThat(verdict.met()).isTrue();
      assertThat(verdict.reason()).isEqualTo(Reason.DataGoesWithPod);
      assertThat(verdict.message()).contains("demo-default", "is lost with the pod");
    }
    assertThat(verdict("PersistentVolume", "{}").reason()).isEqualTo(Reason.AsExpected);
  }

  @Test
  void untilAllHaveStartedAnewTheDataIsNotSaidToBeThere() {
    assertThat(StoreDataAvailableCondition.of(DEMO, List.of(), true).met()).isFalse();
  }

  private static Verdict verdict(String type, String status) {
    return StoreDataAvailableCondition.of(
        DEMO,
        List.of(
            Serialization.unmarshal(
                """
                apiVersion: exaplane.io/v1alpha1
                kind: StoreShard
                metadata: {name: demo-default, namespace: ns}
                spec: {criticality: Critical, storage: {type: %s}, tls: {secretRef: {name: t}}}
                status: %s
                """
                    .formatted(type, status),
                StoreShard.class)),
        false);
  }
}
