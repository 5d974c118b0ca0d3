// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.render.Components;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;

/** The Deployment of kube-controller-manager. */
@KubernetesDependent
public class ControllerManagerDeployment extends DeploymentDependent {
  ControllerManagerDeployment() {
    super(ControlPlaneNames.CONTROLLER_MANAGER);
  }

  @Override
  Deployment render(Observed observed) {
    return Components.controllerManager(
        observed.inputs(),
        observed.deployment(ControlPlaneNames.API_SERVER),
        observed.deployment(ControlPlaneNames.CONTROLLER_MANAGER));
  }
}
