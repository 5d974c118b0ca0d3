// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.names.PoolNames;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.stream.Stream;

/** The processes of all tiers. */
@KubernetesDependent(informer = @Informer(labelSelector = PoolNames.SELECTOR))
public class StatefulSets extends OwnedObjects<StatefulSet, SchedulerPool> {
  StatefulSets() {
    super(StatefulSet.class, SchedulerPool.class);
  }

  @Override
  protected Stream<StatefulSet> render(SchedulerPool pool, Context<SchedulerPool> context) {
    return PoolPins.shared(context).orElseThrow().sets().stream();
  }
}
