// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;

/** The store is told at its start above which revision it goes on, or which data it must find. */
public class NeedsRecord implements Condition<ConfigMap, StoreShard> {
  @Override
  public boolean isMet(
      DependentResource<ConfigMap, StoreShard> dependent,
      StoreShard shard,
      Context<StoreShard> context) {
    return shard.getSpec().engine() == StoreEngine.Memory || StoreNames.isCritical(shard);
  }
}
