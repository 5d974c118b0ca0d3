// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.dependent.OwnedObjects;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.stream.Stream;

/** One PodDisruptionBudget for each component: evictions take one pod at a time. */
@KubernetesDependent
public class DisruptionBudgets extends OwnedObjects<PodDisruptionBudget, ControlPlane> {
  DisruptionBudgets() {
    super(PodDisruptionBudget.class, ControlPlane.class);
  }

  @Override
  protected Stream<PodDisruptionBudget> render(
      ControlPlane primary, Context<ControlPlane> context) {
    Observed observed = Observed.of(context);
    EffectiveControlPlane controlPlane = observed.controlPlane();
    return Stream.of(
            ControlPlaneNames.API_SERVER,
            ControlPlaneNames.CONTROLLER_MANAGER,
            ControlPlaneNames.SCHEDULER)
        .filter(
            component ->
                !component.equals(ControlPlaneNames.SCHEDULER)
                    || !observed.scheduling().handedOver())
        .map(component -> budget(controlPlane, component));
  }

  /** The PodDisruptionBudget of a component. Pure. */
  static PodDisruptionBudget budget(EffectiveControlPlane controlPlane, String component) {
    ControlPlaneNames names = controlPlane.names();
    return new PodDisruptionBudgetBuilder()
        .withNewMetadata()
        .withName(names.component(component))
        .withNamespace(controlPlane.namespace())
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
