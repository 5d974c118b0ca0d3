// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.gate;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.observe.Observed;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;

/**
 * No SchedulerPool has taken kube-scheduler's place: what turns it off is the user's word alone, so
 * that here deleting is what is wanted.
 */
public class KubeSchedulerWanted implements Condition<Deployment, ControlPlane> {
  @Override
  public boolean isMet(
      DependentResource<Deployment, ControlPlane> dependent,
      ControlPlane controlPlane,
      Context<ControlPlane> context) {
    return !Observed.of(context).scheduling().handedOver();
  }
}
