// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.schedulerpool.render.PoolBudgets;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.stream.Stream;

/** What evictions may take. */
@KubernetesDependent(informer = @Informer(labelSelector = PoolNames.SELECTOR))
public class DisruptionBudgets extends OwnedObjects<PodDisruptionBudget, SchedulerPool> {
  DisruptionBudgets() {
    super(PodDisruptionBudget.class, SchedulerPool.class);
  }

  @Override
  protected Stream<PodDisruptionBudget> render(SchedulerPool pool, Context<SchedulerPool> context) {
    return PoolBudgets.of(pool);
  }
}
