// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.ApiServerMemory;
import io.exaplane.operator.controlplane.retention.RetainedData;
import io.exaplane.operator.controlplane.sizing.AgentAccounts;
import io.exaplane.operator.controlplane.sizing.Arguments;
import io.exaplane.operator.controlplane.sizing.MemoryGrowth;
import io.exaplane.operator.controlplane.sizing.MemoryShortage;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.OutOfMemory;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.sizing.TemplateReplicas;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Sizes control planes by what the cluster shows of them. Thread-safe: keeps nothing. */
@ApplicationScoped
class Sizer {
  private final Supplier<Collection<NodeCapacity>> nodes;
  private final Clock clock;

  @Inject
  Sizer(ManagementNodes nodes, Clock clock) {
    this(nodes::capacities, clock);
  }

  /**
   * By nodes of other origin.
   *
   * @param nodes what the management cluster's nodes give to pods
   */
  Sizer(Supplier<Collection<NodeCapacity>> nodes, Clock clock) {
    this.nodes = nodes;
    this.clock = clock;
  }

  /**
   * The control plane as it is to be made now.
   *
   * @param valid whether the spec can be carried out
   * @param hold whether nothing may be changed just now
   * @param model that of the pass
   */
  Sized size(
      ControlPlane controlPlane,
      boolean valid,
      boolean hold,
      Model model,
      Context<ControlPlane> context) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    Map<Component, Container> containers = new EnumMap<>(Component.class);
    for (Component component : Arguments.COMPONENTS) {
      deployment(controlPlane, names.component(ControlPlaneNames.of(component)), context)
          .map(deployment -> deployment.getSpec().getTemplate().getSpec().getContainers())
          .ifPresent(
              all ->
                  containers.put(
                      component,
                      new ContainerBuilder(all.getFirst())
                          .withResources(ContainerLimits.chosen(all.getFirst().getResources()))
                          .build()));
    }
    return Sized.of(
        controlPlane,
        valid,
        hold,
        new Sized.Before(
            List.copyOf(context.getSecondaryResources(StoreShard.class)),
            containers,
            shortage(context),
            deployment(controlPlane, names.component(ControlPlaneNames.API_SERVER), context)
                .flatMap(MemoryGrowth::applied),
            deployment(controlPlane, names.component(ControlPlaneNames.API_SERVER), context)
                .flatMap(TemplateReplicas::applied),
            nodes,
            () -> RetainedData.routes(controlPlane, context.getClient()),
            AgentAccounts.of(context.getSecondaryResources(NodePool.class))),
        clock.instant(),
        model);
  }

  /**
   * The same when the nodes cannot be read: for looking only, without an answer of the model, as
   * for a spec that cannot be carried out.
   */
  Sized withoutNodes(ControlPlane controlPlane, Model model, Context<ControlPlane> context) {
    return new Sizer(List::of, clock).size(controlPlane, false, true, model, context);
  }

  private static Optional<MemoryShortage> shortage(Context<ControlPlane> context) {
    List<Pod> pods =
        context
            .getSecondaryResourcesAsStream(Pod.class)
            .filter(
                pod ->
                    ControlPlaneNames.isOf(
                        ControlPlaneNames.API_SERVER, pod.getMetadata().getLabels()))
            .toList();
    return MemoryShortage.worst(
        OutOfMemory.of(pods, Component.KUBE_APISERVER.label()),
        context
            .getSecondaryResource(ApiServerMemory.class)
            .map(ApiServerMemory::pressures)
            .orElse(List.of()));
  }

  private static Optional<Deployment> deployment(
      ControlPlane controlPlane, String name, Context<ControlPlane> context) {
    return context
        .getSecondaryResourcesAsStream(Deployment.class)
        .filter(deployment -> deployment.hasOwnerReferenceFor(controlPlane))
        .filter(deployment -> deployment.getMetadata().getName().equals(name))
        .findFirst();
  }
}
