// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the hosted API can be used, and what is said when it can't. */
class AvailableConditionTest {
  private static final Optional<EndpointProbe.Result> ANSWERS =
      Optional.of(new EndpointProbe.Result("https://[fd00::1]:6443", true, ""));
  private static final Optional<EndpointProbe.Result> SILENT =
      Optional.of(new EndpointProbe.Result("https://[fd00::1]:6443", false, "timeout"));

  @Test
  void anApiThatAnswersOnStoresThatServeIsAvailable() {
    assertThat(AvailableCondition.of(ANSWERS, stores(true, false), List.of(), false, false))
        .isEqualTo(Verdict.yes(Reason.AsExpected, "The API answers at https://[fd00::1]:6443."));
  }

  @Test
  void aCriticalStoreThatDoesNotServeIsNamed() {
    Verdict verdict = AvailableCondition.of(ANSWERS, stores(false, true), List.of(), false, true);
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.StoreUnavailable);
    assertThat(verdict.message()).contains("store demo-default does not serve");
  }

  /** Nothing lives there before a task moves a resource. */
  @ParameterizedTest
  @CsvSource({"true, true", "false, false"})
  void aStoreThatWasAddedCountsOnceItHasAResource(boolean empty, boolean met) {
    List<Store> stores = new ArrayList<>(stores(true, true));
    stores.add(
        new Store(
            "leases",
            "demo-leases",
            Criticality.Critical,
            false,
            null,
            empty ? null : List.of(new ResourceRef("coordination.k8s.io", "leases"))));
    assertThat(AvailableCondition.of(ANSWERS, stores, List.of(), false, true).met()).isEqualTo(met);
  }

  /** Its cache has objects that the store has not. */
  @Test
  void anApiOfBeforeAStoreLostItsDataIsNotAvailable() {
    Verdict verdict = AvailableCondition.of(ANSWERS, stores(true, true), List.of(), true, true);
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.StoreDataLost);
  }

  @Test
  void anApiThatDoesNotAnswerIsBeingCreatedOrWasLost() {
    assertThat(
            AvailableCondition.of(Optional.empty(), stores(true, true), List.of(), false, false)
                .reason())
        .isEqualTo(Reason.Creating);
    Verdict lost = AvailableCondition.of(SILENT, stores(true, true), List.of(), true, true);
    assertThat(lost.reason()).isEqualTo(Reason.Unavailable);
    assertThat(lost.message()).contains("https://[fd00::1]:6443: timeout");
    assertThat(AvailableCondition.LOSSES).contains(lost.reason());
  }

  @ParameterizedTest
  @CsvSource({
    "Critical, CapacityAvailable, SpaceExceeded, false",
    "Critical, WalHealthy, JournalStalled, false",
    "Critical, CapacityAvailable, PrefixSpaceExceeded, true",
    "BestEffort, CapacityAvailable, SpaceExceeded, true",
    "BestEffort, WalHealthy, JournalStalled, true",
  })
  void anApiWhoseCriticalStoreRefusesWritesIsNotAvailable(
      String criticality, String condition, Reason reason, boolean met) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default, namespace: ns}
            spec: {criticality: %s, tls: {secretRef: {name: t}}}
            status: {conditions: [{type: %s, status: "False", reason: %s, message: Do this.}]}
            """
                .formatted(criticality, condition, reason),
            StoreShard.class);
    Verdict verdict =
        AvailableCondition.of(ANSWERS, stores(true, true), List.of(shard), false, true);
    assertThat(verdict.met()).isEqualTo(met);
    if (!met) {
      assertThat(verdict.reason()).isEqualTo(reason);
      assertThat(verdict.message())
          .startsWith("The API answers but refuses writes: store demo-default refuses writes")
          .contains("Do this.", "'kubectl describe storeshard demo-default'");
      assertThat(AvailableCondition.LOSSES).contains(reason);
    }
  }

  private static List<Store> stores(boolean main, boolean events) {
    return List.of(
        new Store("default", "demo-default", Criticality.Critical, main, "d", null),
        new Store("events", "demo-events", Criticality.BestEffort, events, "e", null));
  }
}
