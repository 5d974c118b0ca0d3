// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.dependent.OwnedObject;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;

/** What the pods of a control plane are made of, and what this operator would change. */
@KubernetesDependent
public class BundleConfigMap extends OwnedObject<ConfigMap, ControlPlane> {
  BundleConfigMap() {
    super(ConfigMap.class);
  }

  @Override
  protected ResourceID targetSecondaryResourceID(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return new ResourceID(
        new ControlPlaneNames(controlPlane).bundle(), controlPlane.getMetadata().getNamespace());
  }

  @Override
  protected ConfigMap desired(ControlPlane controlPlane, Context<ControlPlane> context) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    return BundleMap.of(
        names.bundle(),
        controlPlane.getMetadata().getNamespace(),
        names.labels(),
        ControlPlanePins.of(context).kept());
  }
}
