// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Why a store does not serve. */
class ReadyConditionTest {
  private static final StoreDataLoss LOSS =
      new StoreDataLoss("demo-1", "2026-01-01T00:00:00Z", "an empty volume", 7L, false);

  private final StoreShard shard =
      Serialization.unmarshal(
          """
          apiVersion: exaplane.io/v1alpha1
          kind: StoreShard
          metadata: {name: demo-default, namespace: ns}
          spec: {tls: {secretRef: {name: t}}}
          """,
          StoreShard.class);

  @Test
  void oneThatServedBeforeIsUnavailable() {
    Verdict verdict = told(Optional.empty(), Optional.empty(), true);
    assertThat(verdict.reason()).isEqualTo(Reason.StoreUnavailable);
    assertThat(verdict.message()).isEqualTo("Pod demo-default-0 waits.");
    assertThat(told(Optional.empty(), Optional.empty(), false).reason()).isEqualTo(Reason.Starting);
  }

  @Test
  void aPodThatMayNotPullSaysSo() {
    Verdict verdict = told(Optional.empty(), Optional.of("Secret s is not labelled"), true);
    assertThat(verdict.reason()).isEqualTo(Reason.PullSecretRefused);
    assertThat(verdict.message()).isEqualTo("Secret s is not labelled.");
  }

  @Test
  void aLossComesBeforeAllElse() {
    Verdict verdict = told(Optional.of(LOSS), Optional.of("Secret s is not labelled"), true);
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.StoreDataLost);
    assertThat(verdict.message()).contains("an empty volume", "demo-1");
  }

  /** A Secret is away for a moment when it is renewed; the process has read its certificate. */
  @Test
  void oneThatRunsServesWithoutItsSecret() {
    Verdict missing = Verdict.no(Reason.TLSSecretMissing, "Secret t does not exist yet.");
    Verdict verdict = held(missing, 1);
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.message())
        .isEqualTo(
            "The store serves. A new pod of the store would not start: Secret t does not exist yet.");
    assertThat(held(missing, 0)).isEqualTo(missing);
    Verdict another = Verdict.no(Reason.TLSSecretOfAnother, "Secret t is another's.");
    assertThat(held(another, 1)).isEqualTo(another);
  }

  private Verdict held(Verdict heldBack, int ready) {
    return ReadyCondition.of(
        new ReadyCondition.Seen(
            shard,
            Optional.empty(),
            Optional.of(heldBack),
            Optional.of(
                Serialization.unmarshal(
                    "status: {readyReplicas: %d}".formatted(ready), StatefulSet.class)),
            Optional.empty(),
            Optional.empty(),
            false,
            Optional::empty,
            () -> "Pod demo-default-0 waits."),
        true);
  }

  private Verdict told(Optional<StoreDataLoss> loss, Optional<String> pullSecret, boolean wasMet) {
    return ReadyCondition.of(
        new ReadyCondition.Seen(
            shard,
            loss,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            () -> pullSecret,
            () -> "Pod demo-default-0 waits."),
        wasMet);
  }
}
