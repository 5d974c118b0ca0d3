// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.CRUDKubernetesBulkDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One PodDisruptionBudget for each component: evictions take one pod at a time. */
@KubernetesDependent
public class DisruptionBudgets
    extends KubernetesDependentResource<PodDisruptionBudget, ControlPlane>
    implements CRUDKubernetesBulkDependentResource<PodDisruptionBudget, ControlPlane> {

  @Override
  public Map<ResourceID, PodDisruptionBudget> desiredResources(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return Stream.of(
            ControlPlaneNames.API_SERVER,
            ControlPlaneNames.CONTROLLER_MANAGER,
            ControlPlaneNames.SCHEDULER)
        .map(component -> render(controlPlane, component))
        .collect(Collectors.toMap(ResourceID::fromResource, budget -> budget));
  }

  @Override
  public Map<ResourceID, PodDisruptionBudget> getSecondaryResources(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return context
        .getSecondaryResourcesAsStream(PodDisruptionBudget.class)
        .collect(Collectors.toMap(ResourceID::fromResource, budget -> budget));
  }

  /** The PodDisruptionBudget of a component. Pure. */
  static PodDisruptionBudget render(ControlPlane controlPlane, String component) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    return new PodDisruptionBudgetBuilder()
        .withNewMetadata()
        .withName(names.component(component))
        .withNamespace(controlPlane.getMetadata().getNamespace())
        .withLabels(names.labels(component))
        .endMetadata()
        .withNewSpec()
        .withMaxUnavailable(new IntOrString(1))
        .withUnhealthyPodEvictionPolicy("AlwaysAllow")
        .withNewSelector()
        .withMatchLabels(names.selector(component))
        .endSelector()
        .endSpec()
        .build();
  }
}
