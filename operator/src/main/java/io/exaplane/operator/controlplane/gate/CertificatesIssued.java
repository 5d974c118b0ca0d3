// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.gate;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.observe.Observed;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;

/**
 * Addresses, stores and certificates are all known, so that the components can be made. While this
 * does not hold nothing is made and nothing is deleted.
 */
public class CertificatesIssued implements Condition<Service, ControlPlane> {
  @Override
  public boolean isMet(
      DependentResource<Service, ControlPlane> dependent,
      ControlPlane controlPlane,
      Context<ControlPlane> context) {
    return Observed.of(context).completeInputs().isPresent();
  }
}
