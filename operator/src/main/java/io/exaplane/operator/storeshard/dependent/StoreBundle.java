// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;

/** What the pod of a store is made of, and what this operator would change. */
@KubernetesDependent
public class StoreBundle extends OwnedObject<ConfigMap, StoreShard> {
  private final StorePins pins;

  StoreBundle(StorePins pins) {
    super(ConfigMap.class);
    this.pins = pins;
  }

  @Override
  protected ResourceID targetSecondaryResourceID(StoreShard shard, Context<StoreShard> context) {
    return new ResourceID(StoreNames.bundle(shard), shard.getMetadata().getNamespace());
  }

  @Override
  protected ConfigMap desired(StoreShard shard, Context<StoreShard> context) {
    return BundleMap.of(
        StoreNames.bundle(shard),
        shard.getMetadata().getNamespace(),
        StoreNames.labels(shard),
        pins.of(shard, context).kept());
  }
}
