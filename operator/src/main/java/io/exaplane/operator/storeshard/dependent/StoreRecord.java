// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.storeshard.data.DataRecord;
import io.exaplane.operator.wait.VolumeGuard;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a store's pod is told when it starts, from status: which data it must find on its volume,
 * and above which revision a store that starts empty has to go on.
 */
@KubernetesDependent
public class StoreRecord extends OwnedObject<ConfigMap, StoreShard> {
  static final String REVISION_FLOOR = "revision-floor";
  static final String EXPECTED_DATA = "expected-data";
  static final String LEAST_REVISION = "least-revision";

  /** Name of a store's ConfigMap. */
  static String name(StoreShard shard) {
    return shard.getMetadata().getName() + "-revision";
  }

  StoreRecord() {
    super(ConfigMap.class);
  }

  @Override
  protected ConfigMap desired(StoreShard shard, Context<StoreShard> context) {
    return render(shard, of(shard, context));
  }

  @Override
  protected ResourceID targetSecondaryResourceID(StoreShard shard, Context<StoreShard> context) {
    return new ResourceID(name(shard), shard.getMetadata().getNamespace());
  }

  /** The ConfigMap as it is, if it is. */
  public static Optional<ConfigMap> of(StoreShard shard, Context<StoreShard> context) {
    return context
        .getSecondaryResourcesAsStream(ConfigMap.class)
        .filter(map -> map.getMetadata().getName().equals(name(shard)))
        .findFirst();
  }

  /** The ConfigMap of a store. Pure. */
  static ConfigMap render(StoreShard shard, Optional<ConfigMap> existing) {
    Optional<String> before = existing.map(ConfigMap::getData).map(data -> data.get(EXPECTED_DATA));
    Map<String, String> data = new TreeMap<>();
    if (StoreNames.isCritical(shard)) {
      data.put(EXPECTED_DATA, DataRecord.expected(shard, before));
    }
    boolean known = shard.getStatus() != null && shard.getStatus().revisionFloor() != null;
    if (shard.getSpec().engine() == StoreEngine.Memory) {
      data.put(LEAST_REVISION, Long.toString(DataRecord.leastRevision(shard)));
      data.put(REVISION_FLOOR, known ? shard.getStatus().revisionFloor().toString() : "0");
    }
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name(shard))
        .withNamespace(shard.getMetadata().getNamespace())
        .withLabels(StoreNames.labels(shard))
        .endMetadata()
        .withData(data)
        .build();
  }

  /** Whether a pod that starts now is told that a loss was accepted. */
  public static boolean accepts(ConfigMap record) {
    return record.getData() != null
        && record.getData().getOrDefault(EXPECTED_DATA, "").startsWith(VolumeGuard.ACCEPTED);
  }
}
