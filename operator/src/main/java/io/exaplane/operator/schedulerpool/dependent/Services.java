// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.schedulerpool.PoolNames;
import io.exaplane.operator.schedulerpool.render.PoolServices;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.stream.Stream;

/** The addresses of roots and relays. */
@KubernetesDependent(informer = @Informer(labelSelector = PoolNames.SELECTOR))
public class Services extends OwnedObjects<Service, SchedulerPool> {
  Services() {
    super(Service.class, SchedulerPool.class);
  }

  @Override
  protected Stream<Service> render(SchedulerPool pool, Context<SchedulerPool> context) {
    return PoolServices.of(pool);
  }
}
