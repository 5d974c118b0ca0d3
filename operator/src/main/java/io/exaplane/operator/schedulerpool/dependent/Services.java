// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.dependent;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.address.AddressRefusal;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.schedulerpool.observe.PoolAddresses;
import io.exaplane.operator.schedulerpool.render.PoolServices;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The addresses of roots and relays. */
@KubernetesDependent(informer = @Informer(labelSelector = PoolNames.SELECTOR))
public class Services extends OwnedObjects<Service, SchedulerPool> {
  Services() {
    super(Service.class, SchedulerPool.class);
  }

  @Override
  protected Stream<Service> render(SchedulerPool pool, Context<SchedulerPool> context) {
    Map<String, Service> there =
        context
            .getSecondaryResourcesAsStream(Service.class)
            .collect(Collectors.toMap(s -> s.getMetadata().getName(), Function.identity()));
    return PoolServices.of(pool)
        .map(
            wanted ->
                KeptAddresses.ask(
                    wanted,
                    Optional.ofNullable(there.get(wanted.getMetadata().getName())),
                    PoolAddresses.known(pool, wanted.getMetadata().getName())));
  }

  @Override
  public Service create(Service desired, SchedulerPool pool, Context<SchedulerPool> context) {
    return AddressRefusal.create(desired, asks -> super.create(asks, pool, context));
  }
}
