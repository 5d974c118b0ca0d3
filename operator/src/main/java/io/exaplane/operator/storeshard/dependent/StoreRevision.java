// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.storeshard.StoreNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.Map;

/** Tells a store that starts empty above which revision it has to go on; from status. */
@KubernetesDependent(informer = @Informer(labelSelector = StoreNames.SELECTOR))
public class StoreRevision extends CRUDKubernetesDependentResource<ConfigMap, StoreShard> {
  static final String KEY = "revision-floor";

  /** Name of a store's ConfigMap. */
  static String name(StoreShard shard) {
    return shard.getMetadata().getName() + "-revision";
  }

  @Override
  protected ConfigMap desired(StoreShard shard, Context<StoreShard> context) {
    return render(shard);
  }

  /** The ConfigMap of a store. Pure. */
  static ConfigMap render(StoreShard shard) {
    boolean known = shard.getStatus() != null && shard.getStatus().revisionFloor() != null;
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name(shard))
        .withNamespace(shard.getMetadata().getNamespace())
        .withLabels(StoreNames.labels(shard))
        .endMetadata()
        .withData(Map.of(KEY, known ? shard.getStatus().revisionFloor().toString() : "0"))
        .build();
  }
}
