// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.sizing.ApiServerResources;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Sizes control planes by what the cluster shows of them. Thread-safe: keeps nothing. */
@ApplicationScoped
class Sizer {
  private final ManagementNodes nodes;
  private final Clock clock;

  Sizer(ManagementNodes nodes, Clock clock) {
    this.nodes = nodes;
    this.clock = clock;
  }

  /**
   * The control plane as it is to be made now.
   *
   * @param valid whether the spec can be carried out
   * @param hold whether nothing may be changed just now
   */
  Sized size(
      ControlPlane controlPlane, boolean valid, boolean hold, Context<ControlPlane> context) {
    String name = new ControlPlaneNames(controlPlane).component(ControlPlaneNames.API_SERVER);
    Optional<Deployment> apiServer =
        context
            .getSecondaryResourcesAsStream(Deployment.class)
            .filter(deployment -> deployment.hasOwnerReferenceFor(controlPlane))
            .filter(deployment -> deployment.getMetadata().getName().equals(name))
            .findFirst();
    return Sized.of(
        controlPlane,
        valid,
        hold,
        new Sized.Before(
            List.copyOf(context.getSecondaryResources(StoreShard.class)),
            apiServer.map(
                deployment ->
                    ApiServerResources.Running.of(
                        deployment.getSpec().getTemplate().getSpec().getContainers().getFirst())),
            nodes::capacities),
        clock.instant());
  }
}
