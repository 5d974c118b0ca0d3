// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.operator.names.ControlPlaneNames;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;

/** The Deployment of kube-apiserver. */
@KubernetesDependent
public class ApiServerDeployment extends DeploymentDependent {
  ApiServerDeployment() {
    super(ControlPlaneNames.API_SERVER);
  }
}
