// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.gate;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;

/** The Services of roots and relays have addresses, and there is a certificate for them. */
public class AddressesKnown implements Condition<Service, SchedulerPool> {
  @Override
  public boolean isMet(
      DependentResource<Service, SchedulerPool> dependent,
      SchedulerPool pool,
      Context<SchedulerPool> context) {
    return PoolObserved.of(context).completeInputs().isPresent();
  }
}
