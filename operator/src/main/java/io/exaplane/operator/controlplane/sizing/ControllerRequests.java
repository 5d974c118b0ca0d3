// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControllerManagerSpec;
import io.exaplane.api.v1alpha1.SchedulerSpec;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.ContainerRequests;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Optional;

/** What kube-controller-manager and kube-scheduler ask for: no limit kills the one that leads. */
final class ControllerRequests {
  static final List<Component> CONTROLLERS =
      List.of(Component.KUBE_CONTROLLER_MANAGER, Component.KUBE_SCHEDULER);

  private ControllerRequests() {}

  /** The user's, and the model's memory if the user says nothing of memory. */
  static ContainerRequests of(
      Tuned tuned, ControlPlaneSpec spec, Component component, Sized.Before before) {
    ResourceRequirements own = own(spec, component);
    Quantity memory =
        ContainerRequests.quantity(tuned.value(component, Type.RESOURCE, "requests.memory"));
    if (ContainerMemory.named(own).isPresent()) {
      Quantity limit = limitOf(ContainerMemory.requested(memory).with(own));
      return new ContainerRequests(
          Optional.of(ContainerLimits.roomy(own, limit)), Optional.empty());
    }
    Optional<ResourceRequirements> running =
        Optional.ofNullable(before.containers().get(component))
            .map(Container::getResources)
            .flatMap(ContainerMemory::of)
            .filter(has -> has.limit().isEmpty())
            .map(has -> has.with(own));
    return ContainerRequests.of(
        "each " + component.label(),
        Arguments.component(component) + ".resources",
        ContainerMemory.requested(memory).with(own),
        running.or(() -> Optional.ofNullable(own)),
        before.nodes());
  }

  /** The limit that is added to a request of the model. */
  private static Quantity limitOf(ResourceRequirements requests) {
    return ContainerLimits.complete(requests).getLimits().get("memory");
  }

  /** What the user lets a controller ask for, or null. */
  static ResourceRequirements own(ControlPlaneSpec spec, Component component) {
    return component == Component.KUBE_SCHEDULER
        ? SchedulerSpec.resources(spec.scheduler())
        : ControllerManagerSpec.resources(spec.controllerManager());
  }
}
