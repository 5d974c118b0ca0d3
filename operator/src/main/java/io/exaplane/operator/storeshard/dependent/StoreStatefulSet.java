// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;

/** The store's one pod. */
@KubernetesDependent(informer = @Informer(labelSelector = StoreNames.SELECTOR))
public class StoreStatefulSet extends OwnedObject<StatefulSet, StoreShard> {
  private final StorePins pins;

  StoreStatefulSet(StorePins pins) {
    super(StatefulSet.class);
    this.pins = pins;
  }

  @Override
  protected ResourceID targetSecondaryResourceID(StoreShard shard, Context<StoreShard> context) {
    return ResourceID.fromResource(shard);
  }

  @Override
  protected StatefulSet desired(StoreShard shard, Context<StoreShard> context) {
    return pins.of(shard, context).set();
  }
}
