// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.names.PoolNames;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.stream.Stream;

/** The kube-scheduler that stands in, as long as it is to. */
@KubernetesDependent(informer = @Informer(labelSelector = PoolNames.SELECTOR))
public class StandIn extends OwnedObjects<Deployment, SchedulerPool> {
  StandIn() {
    super(Deployment.class, SchedulerPool.class);
  }

  @Override
  protected Stream<Deployment> render(SchedulerPool pool, Context<SchedulerPool> context) {
    return PoolPins.shared(context).orElseThrow().standIn().stream();
  }
}
