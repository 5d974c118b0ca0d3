// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.restart.Looks;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.storeshard.condition.RestartBudgetAvailableCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreRestartsTest {
  private static final Instant NOON = Looks.NOON;
  private static final Instant OLD = NOON.minus(Duration.ofDays(1));

  /** A pod with an EmptyDir would take the data with it. */
  @ParameterizedTest
  @CsvSource({
    "'', true",
    "'storage: {type: PersistentVolume},', true",
    "'storage: {type: EmptyDirLosesDataWithPod},', false",
    "'criticality: BestEffort,', false",
    "'criticality: BestEffort, storage: {type: PersistentVolume},', true"
  })
  void aStoreWithAnotherCertificateIsReplacedIfItsDataOutlivesThePod(
      String spec, boolean replaced) {
    StoreShard shard = shard(spec);
    Pod waits = Looks.waits("s-0", OLD, 4, NOON.minusSeconds(30));
    RestartPlan wrong = plan(shard, waits, secret("wrong"), NOON);
    assertThat(wrong.replaced()).isEmpty();
    assertThat(RestartBudgetAvailableCondition.of(shard, wrong).reason())
        .isEqualTo(Reason.CrashLooping);
    plan(shard, waits, secret("right"), NOON.plusSeconds(10));
    RestartPlan right = plan(shard, waits, secret("right"), NOON.plusSeconds(13));
    assertThat(right.replaced().isPresent()).isEqualTo(replaced);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theStoresOwnBudgetIsKept(int budget) {
    StoreShard shard = shard("restart: {budget: {maxRestarts: %d, window: 1h}},".formatted(budget));
    for (int restarts = 0; restarts <= budget; restarts++) {
      Instant now = NOON.plusSeconds(600L * restarts);
      RestartPlan plan = plan(shard, Looks.ready("s-0", OLD, restarts, now), secret("a"), now);
      assertThat(RestartBudgetAvailableCondition.of(shard, plan).met())
          .as("%d of %d restarts", restarts, budget)
          .isEqualTo(restarts < budget);
    }
    assertThat(shard.getStatus().restart().components().getFirst().name()).isEqualTo("store");
  }

  private static RestartPlan plan(StoreShard shard, Pod pod, Secret secret, Instant now) {
    StatefulSet set =
        Serialization.unmarshal(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {volumeClaimTemplates: [{metadata: {name: data}}]}\n",
            StatefulSet.class);
    RestartPlan plan =
        StoreRestarts.plan(
            shard,
            shard.getSpec().storage() == null && shard.getSpec().criticality() != null
                ? Optional.of(withoutClaims())
                : Optional.of(set),
            Optional.of(pod),
            Optional.of(secret),
            true,
            now);
    StoreShard told = shard("");
    shard.setStatus(told.getStatus().withRestart(plan.status()));
    return plan;
  }

  private static StatefulSet withoutClaims() {
    return Serialization.unmarshal(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {replicas: 1}\n",
        StatefulSet.class);
  }

  private static Secret secret(String content) {
    return new SecretBuilder().withData(Map.of("tls.crt", content)).build();
  }

  private static StoreShard shard(String spec) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: s, namespace: ns, uid: u}
            spec: {engine: Memory, %s tls: {secretRef: {name: t}}}
            status: {observedGeneration: 1}
            """
                .formatted(spec),
            StoreShard.class);
    StoreShardStatus status = shard.getStatus();
    assertThat(status).isNotNull();
    return shard;
  }
}
