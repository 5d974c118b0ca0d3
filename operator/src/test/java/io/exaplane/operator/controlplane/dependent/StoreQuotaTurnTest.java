// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.observe.StoreTurns;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pod.NodeCapacity;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores that exist take the room that kube-apiservers have when their pods are replaced. */
class StoreQuotaTurnTest {
  private static final String NONE = "{}";
  private static final String EMPTY = "load: 1000000";
  private static final NodeCapacity NODE = new NodeCapacity(128, 1L << 40);

  private static ControlPlane controlPlane(String limit, String storage) {
    return Fixtures.controlPlane(
        "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, storage: {type: PersistentVolume}%s}]}%s}"
            .formatted(
                storage,
                limit.isEmpty()
                    ? ""
                    : ", apiServer: {resources: {limits: {memory: %s}}}".formatted(limit)));
  }

  private static Sized sized(ControlPlane controlPlane, String grown, StoreShard... shards) {
    return Sized.of(
        controlPlane,
        true,
        false,
        new Sized.Before(
            List.of(shards),
            Map.of(),
            Optional.empty(),
            Optional.of(grown).filter(memory -> !memory.isEmpty()).map(Quantity::new),
            () -> List.of(NODE),
            Optional::empty),
        Instant.EPOCH);
  }

  private static StoreShard shard(ControlPlane owner, String memory, String status) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default, namespace: ns}
            spec: {engine: Memory, memory: %s}
            status: {%s}
            """
                .formatted(memory, status),
            StoreShard.class);
    shard
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withKind("ControlPlane")
                    .withName("demo")
                    .withUid(owner.getMetadata().getUid())
                    .build()));
    return shard;
  }

  private static StoreTemplate store(Sized sized) {
    return StorageSpec.stores(sized.controlPlane().spec().storage()).getFirst();
  }

  private static MemoryEngineSpec next(Sized sized) {
    return sized.controlPlane().withNextQuotas(store(sized)).memory();
  }

  private static String ofNew(String limit) {
    return store(sized(controlPlane(limit, ""), "")).memory().loadQuota();
  }

  private static Optional<String> said(Sized sized) {
    return sized.problems().stream()
        .map(Problem::message)
        .filter(message -> message.contains("memory.loadQuota"))
        .findFirst();
  }

  @Test
  void aStoreOfAnEarlierOperatorKeepsItsPodAndIsNamed() {
    ControlPlane controlPlane = controlPlane("", "");
    Sized sized = sized(controlPlane, "", shard(controlPlane, NONE, EMPTY));
    assertThat(store(sized).memory()).as("no other pod").isNull();
    assertThat(next(sized).loadQuota()).isEqualTo(ofNew(""));
    assertThat(said(sized).orElseThrow())
        .contains("the stores default have no memory.loadQuota")
        .contains("Set spec.storage.restartedAt to the present time")
        .contains("default: " + ofNew(""));
    StoreShard bounded =
        shard(controlPlane, "{loadQuota: %s}".formatted(next(sized).loadQuota()), EMPTY);
    assertThat(said(sized(controlPlane, "", bounded))).as("the next action helps").isEmpty();
  }

  /** Its quota comes with a pod that is replaced anyway, in the same write, and then stays. */
  @ParameterizedTest
  @CsvSource({", , false", "2026-11-29T07:00:00Z, , true", ", 2-b, true"})
  void aQuotaComesWithARestartOrABundle(String restartedAt, String bundle, boolean comes) {
    ControlPlane asked = controlPlane("", "");
    if (restartedAt != null) {
      asked =
          Fixtures.controlPlane(
              "{version: 1.36.3, maxNodes: 100, storage: {restartedAt: '%s', stores: [{name: default, storage: {type: PersistentVolume}}]}}"
                  .formatted(restartedAt));
    }
    StoreShard there =
        shard(
            asked,
            NONE,
            EMPTY
                + ", bundle: 1-a, conditions: [{type: Ready, status: 'True', reason: AsExpected}]");
    Sized sized = sized(asked, "", there);
    Observed observed =
        new Observed(
            sized,
            List.of(there),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            null,
            Optional.empty(),
            List.of(),
            List.of(),
            new Scheduling(Optional.empty(), Optional.empty(), false),
            TaskOrders.NONE);
    StoreTurns turns = new StoreTurns(observed, Optional.ofNullable(bundle), false);
    StoreShard wanted = Stores.shard(sized.controlPlane(), store(sized), turns);
    MemoryEngineSpec memory = wanted.getSpec().memory();
    assertThat(memory == null ? null : memory.loadQuota()).isEqualTo(comes ? ofNew("") : null);
    wanted.getMetadata().setOwnerReferences(there.getMetadata().getOwnerReferences());
    wanted.setStatus(there.getStatus());
    assertThat(store(sized(asked, "", wanted)).memory()).as("it stays").isEqualTo(memory);
  }

  @Test
  void aRaisedLimitRaisesBothQuotas() {
    ControlPlane controlPlane = controlPlane("16Gi", "");
    Sized sized =
        sized(controlPlane, "", shard(controlPlane, "{quota: 100Mi, loadQuota: 500Mi}", EMPTY));
    assertThat(store(sized).memory().loadQuota()).as("until its turn").isEqualTo("500Mi");
    assertThat(next(sized).loadQuota()).isEqualTo(ofNew("16Gi")).isNotEqualTo(ofNew(""));
    assertThat(new Quantity(next(sized).quota()).getNumericalAmount())
        .isGreaterThan(new Quantity("500Mi").getNumericalAmount());
    assertThat(said(sized)).as("a store with less room than possible is no fault").isEmpty();
  }

  @Test
  void aLoweredLimitIsSaid() {
    ControlPlane controlPlane = controlPlane("4Gi", "");
    Sized sized = sized(controlPlane, "", shard(controlPlane, "{loadQuota: 30Gi}", EMPTY));
    assertThat(said(sized).orElseThrow())
        .contains("may take up to 30 GiB")
        .contains("a memory limit of 4.0 GiB");
    assertThat(next(sized).loadQuota()).isEqualTo(ofNew("4Gi"));
  }

  /** What it holds by now counts: a quota that is full at once would refuse writes. */
  @ParameterizedTest
  @CsvSource({"'', false", "16Gi, true"})
  void objectsThatNeedMoreTakeTheGrownMemory(String grown, boolean fits) {
    ControlPlane controlPlane = controlPlane("", "");
    StoreShard full = shard(controlPlane, NONE, "load: 7000000000");
    Sized sized = sized(controlPlane, grown, full);
    assertThat(next(sized) == null ? null : next(sized).loadQuota())
        .isEqualTo(fits ? ofNew("16Gi") : null);
    assertThat(said(sized).orElseThrow())
        .contains(fits ? "Set spec.storage.restartedAt" : "Raise the memory limit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'' | ''", "', memory: {quota: 1Gi}' | ''", "', memory: {loadQuota: 9Gi}' | 1"})
  void whatIsUnknownOrNamedStays(String storage, String load) {
    ControlPlane controlPlane = controlPlane("", storage);
    Sized sized =
        sized(controlPlane, "", shard(controlPlane, NONE, load.isEmpty() ? "" : "load: " + load));
    assertThat(next(sized)).isEqualTo(store(sized).memory());
    assertThat(said(sized).isPresent()).isEqualTo(storage.isEmpty());
  }
}
