// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.cache.SharedItems;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Set;
import java.util.stream.Collectors;

/** What brings a pool's reconciler back: its ControlPlane, and its Secret. */
final class NodePoolSources {
  private NodePoolSources() {}

  static EventSource<?, NodePool> controlPlanes(EventSourceContext<NodePool> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(ControlPlane.class, NodePool.class)
            .withName("node-pool-control-planes")
            .withItemStore(new SharedItems<>())
            .withPrimaryToSecondaryMapper(
                (NodePool pool) ->
                    Set.of(
                        new ResourceID(
                            pool.getSpec().controlPlaneRef().name(),
                            pool.getMetadata().getNamespace())))
            .withSecondaryToPrimaryMapper(controlPlane -> pools(controlPlane, context))
            .build(),
        context);
  }

  /** The pools of a ControlPlane. */
  private static Set<ResourceID> pools(
      ControlPlane controlPlane, EventSourceContext<NodePool> context) {
    String name = controlPlane.getMetadata().getName();
    return context
        .getPrimaryCache()
        .list(
            controlPlane.getMetadata().getNamespace(),
            pool -> pool.getSpec().controlPlaneRef().name().equals(name))
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  static EventSource<?, NodePool> secrets(EventSourceContext<NodePool> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Secret.class, NodePool.class)
            .withName("node-pool-secrets")
            .withItemStore(new SharedItems<>())
            .withLabelSelector(NodePoolNames.SELECTOR)
            .withSecondaryToPrimaryMapper(
                secret ->
                    Set.of(
                        new ResourceID(
                            secret.getMetadata().getLabels().get(NodePoolNames.POOL_LABEL),
                            secret.getMetadata().getNamespace())))
            .build(),
        context);
  }
}
