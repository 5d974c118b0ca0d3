// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.VolumeType;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A ControlPlane without a word about storage, and its StoreShards as the operator wrote them
 * before a PersistentVolume was the default (the commit before 8e51a4cf): an upgrade changes
 * neither their volumes nor their names.
 */
class BeforePersistentDefaultTest {
  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
  private final List<StoreShard> written =
      List.of(written("default", "Critical"), written("events", "BestEffort"));

  private StoreShard written(String store, String criticality) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata:
              name: demo-%1$s
              namespace: %3$s
              labels: {app.kubernetes.io/managed-by: exaplane, exaplane.io/store: %1$s}
            spec:
              engine: Memory
              criticality: %2$s
              storage: {type: EmptyDir}
              tls: {secretRef: {name: demo-%1$s-tls}}
            """
                .formatted(store, criticality, controlPlane.getMetadata().getNamespace()),
            StoreShard.class);
    shard.getMetadata().setOwnerReferences(Fixtures.ownedBy(controlPlane));
    return shard;
  }

  private Stream<StoreShard> applied(List<StoreShard> before) {
    Sized sized =
        Sized.of(
            controlPlane,
            true,
            false,
            new Sized.Before(
                before,
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                () -> List.of(new NodeCapacity(256, 4L << 40)),
                Optional::empty),
            Instant.EPOCH);
    return StorageSpec.stores(sized.controlPlane().spec().storage()).stream()
        .map(store -> Stores.shard(sized.controlPlane(), store, null, null));
  }

  @Test
  void storesKeepTheirVolumesAndTheirNames() {
    assertThat(applied(written))
        .zipSatisfy(
            written,
            (now, before) -> {
              StoreShardSpec spec = now.getSpec();
              assertThat(now.getMetadata().getName()).isEqualTo(before.getMetadata().getName());
              assertThat(spec.storage()).isEqualTo(before.getSpec().storage());
              assertThat(spec.tls()).isEqualTo(before.getSpec().tls());
              assertThat(spec.engine()).isEqualTo(before.getSpec().engine());
              assertThat(spec.criticality()).isEqualTo(before.getSpec().criticality());
              assertThat(StoreNames.isPersistent(now)).isFalse();
            });
    assertThat(applied(List.of()).findFirst().orElseThrow().getSpec().storage().type())
        .as("a new store")
        .isEqualTo(VolumeType.PersistentVolume);
  }

  /** From which StoreDataAvailable has the reason DataGoesWithPod. */
  @Test
  void theStoreThatLosesDataWithItsPodIsKnown() {
    assertThat(applied(written).filter(ShardStates::losesDataWithPod))
        .extracting(shard -> shard.getMetadata().getName())
        .containsExactly("demo-default");
    assertThat(applied(List.of()).filter(ShardStates::losesDataWithPod)).isEmpty();
  }
}
