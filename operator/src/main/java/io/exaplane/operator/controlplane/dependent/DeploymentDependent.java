// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;

/** A component's Deployment. Subclasses say which. */
abstract class DeploymentDependent extends OwnedObject<Deployment, ControlPlane> {
  private final String component;

  DeploymentDependent(String component) {
    super(Deployment.class);
    this.component = component;
  }

  @Override
  protected ResourceID targetSecondaryResourceID(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return new ResourceID(
        new ControlPlaneNames(controlPlane).component(component),
        controlPlane.getMetadata().getNamespace());
  }

  @Override
  protected Deployment desired(ControlPlane controlPlane, Context<ControlPlane> context) {
    Deployment made = ControlPlanePins.of(context).deployment(component);
    return Renderings.applied(component, made, RolloutStep.shared(context));
  }
}
