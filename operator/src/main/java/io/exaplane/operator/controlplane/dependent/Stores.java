// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.api.v1alpha1.ReservedNames;
import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.StoreTls;
import io.exaplane.operator.controlplane.observe.StoreTurns;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.controlplane.sizing.StorePlan;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.storeshard.data.DataRecord;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One StoreShard for each store of the spec. */
@KubernetesDependent
public class Stores extends OwnedObjects<StoreShard, ControlPlane> {
  Stores() {
    super(StoreShard.class, ControlPlane.class);
  }

  @Override
  protected Stream<StoreShard> render(ControlPlane primary, Context<ControlPlane> context) {
    return ControlPlanePins.of(context).shards();
  }

  /** The StoreShard of a store, when its turn is known. Pure. */
  static StoreShard shard(
      EffectiveControlPlane controlPlane, StoreTemplate store, StoreTurns turns) {
    StoreTemplate sized = turns.sized(store);
    StoreTemplate made = turns.isReplacedNow(store) ? controlPlane.withNextQuotas(sized) : sized;
    StoreShard shard = shard(controlPlane, made, turns.restartedAt(store), turns.bundle(store));
    turns
        .knownRequest(store)
        .ifPresent(
            known -> shard.getMetadata().getAnnotations().put(StoreTurns.KNOWN_REQUEST, known));
    return shard;
  }

  /** The StoreShard of a store. Pure. */
  static StoreShard shard(
      EffectiveControlPlane controlPlane, StoreTemplate store, String restartedAt, String bundle) {
    ControlPlaneNames names = controlPlane.names();
    Map<String, String> labels = new TreeMap<>(names.labels());
    labels.put(ControlPlaneNames.STORE_LABEL, store.name());
    StoreShard shard = new StoreShard();
    shard.setMetadata(
        new ObjectMetaBuilder()
            .withName(names.shard(store.name()))
            .withNamespace(controlPlane.namespace())
            .withLabels(labels)
            .withAnnotations(annotations(controlPlane, store))
            .build());
    shard.setSpec(
        new StoreShardSpec(
            store.effectiveEngine(),
            store.memory(),
            store.effectiveCriticality(),
            store.storage(),
            new StoreTls(new LocalRef(names.shardSecret(store.name()))),
            store.resources(),
            controlPlane.spec().images(),
            store.effectiveCriticality() == Criticality.Critical
                ? StorageSpec.onDataLoss(controlPlane.spec().storage())
                : null,
            StorageSpec.deletion(controlPlane.spec().storage()),
            !Boolean.FALSE.equals(controlPlane.spec().deletionProtection()),
            restartedAt,
            ReservedNames.isOfStoreShard(names.shard(store.name())) ? true : null,
            controlPlane.spec().restart(),
            bundle == null ? null : new RolloutSpec(bundle),
            null));
    return shard;
  }

  /**
   * What is known of the data stays with the control plane when somebody deletes the StoreShard.
   */
  private static Map<String, String> annotations(
      EffectiveControlPlane controlPlane, StoreTemplate store) {
    Map<String, String> annotations = new TreeMap<>();
    annotations.put(StoreNames.ROUTES_ANNOTATION, StorePlan.text(controlPlane.spec().storage()));
    if (store.effectiveCriticality() == Criticality.Critical) {
      dataId(controlPlane.asked(), store.name())
          .ifPresent(id -> annotations.put(DataRecord.KNOWN_ANNOTATION, id));
    }
    Map<String, String> own = controlPlane.asked().getMetadata().getAnnotations();
    if (own != null && own.containsKey(DataRecord.ACCEPT_ANNOTATION)) {
      annotations.put(DataRecord.ACCEPT_ANNOTATION, own.get(DataRecord.ACCEPT_ANNOTATION));
    }
    return annotations;
  }

  private static Optional<String> dataId(ControlPlane controlPlane, String store) {
    return Optional.ofNullable(controlPlane.getStatus())
        .map(ControlPlaneStatus::stores)
        .map(ControlPlaneStatus.Stores::items)
        .stream()
        .flatMap(List::stream)
        .filter(known -> known.name().equals(store))
        .flatMap(known -> Optional.ofNullable(known.dataId()).stream())
        .findFirst();
  }
}
