// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.PoolNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;

/** What the pods of a pool are made of, and what this operator would change. */
@KubernetesDependent(informer = @Informer(labelSelector = PoolNames.SELECTOR))
public class PoolBundle extends OwnedObject<ConfigMap, SchedulerPool> {
  PoolBundle() {
    super(ConfigMap.class);
  }

  @Override
  protected ConfigMap desired(SchedulerPool pool, Context<SchedulerPool> context) {
    PoolNames names = new PoolNames(pool);
    return BundleMap.of(
        names.bundle(),
        pool.getMetadata().getNamespace(),
        names.labels(),
        PoolPins.shared(context).orElseThrow().kept());
  }
}
