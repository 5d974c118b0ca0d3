// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.cache.SharedItems;
import io.exaplane.operator.controlplane.hosted.HostedAccess;
import io.exaplane.operator.controlplane.observe.PoolTotals;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.util.List;
import java.util.Set;

/** The objects of the management cluster that a control plane is judged by. */
final class Secondaries {
  private Secondaries() {}

  /** All of them, and what is known of the inside of the hosted cluster. */
  static List<EventSource<?, ControlPlane>> all(
      String deployments,
      String configMaps,
      String services,
      HostedAccess hosted,
      EventSource<?, ControlPlane> calls,
      EventSourceContext<ControlPlane> context) {
    return List.of(
        deployments(deployments, context),
        configMaps(configMaps, context),
        services(services, context),
        certificates(context),
        pods(context),
        pools(context),
        nodePools(context),
        tasks(context),
        hosted.probes(context),
        hosted.leaders(context),
        hosted.memory(context),
        hosted.guard(context),
        hosted.loads(context),
        hosted.gates(context),
        hosted.renewals(context),
        hosted.changes(),
        calls);
  }

  /** The Deployments of all components, which three dependents share. */
  private static EventSource<?, ControlPlane> deployments(
      String name, EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Deployment.class, ControlPlane.class)
            .withName(name)
            .withLabelSelector(Names.MANAGED_BY_SELECTOR)
            .build(),
        context);
  }

  /** The API's Service, and those of single resources. */
  private static EventSource<?, ControlPlane> services(
      String name, EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Service.class, ControlPlane.class)
            .withName(name)
            .build(),
        context);
  }

  /** The ConfigMaps, which two dependents share. */
  private static EventSource<?, ControlPlane> configMaps(
      String name, EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(ConfigMap.class, ControlPlane.class)
            .withName(name)
            .withLabelSelector(
                Names.MANAGED_BY_SELECTOR + "," + ControlPlaneNames.CONTROL_PLANE_LABEL)
            .build(),
        context);
  }

  /** The Secrets with certificates and keys. */
  private static EventSource<?, ControlPlane> certificates(
      EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Secret.class, ControlPlane.class)
            .withName("certificates")
            .withItemStore(new SharedItems<>())
            .withLabelSelector(Names.MANAGED_BY_SELECTOR)
            .withSecondaryToPrimaryMapper(Secondaries::namedBy)
            .build(),
        context);
  }

  /** By name: Secrets that outlive a control plane have no reference to it. */
  private static Set<ResourceID> namedBy(Secret secret) {
    String name = secret.getMetadata().getLabels().get(ControlPlaneNames.CONTROL_PLANE_LABEL);
    return name == null
        ? Mappers.<Secret>fromOwnerReferences(ControlPlane.class).toPrimaryResourceIDs(secret)
        : Set.of(new ResourceID(name, secret.getMetadata().getNamespace()));
  }

  /** The pods of components, which ReplicaSets own, by the name that they carry. */
  private static EventSource<?, ControlPlane> pods(EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Pod.class, ControlPlane.class)
            .withName("component-pods")
            .withItemStore(new SharedItems<>())
            .withLabelSelector(ControlPlaneNames.COMPONENT_SELECTOR)
            .withSecondaryToPrimaryMapper(
                pod ->
                    Set.of(
                        new ResourceID(
                            pod.getMetadata()
                                .getLabels()
                                .get(ControlPlaneNames.CONTROL_PLANE_LABEL),
                            pod.getMetadata().getNamespace())))
            .build(),
        context);
  }

  /** The pools that name a control plane; its spec names one of them at most. */
  private static EventSource<?, ControlPlane> pools(EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(SchedulerPool.class, ControlPlane.class)
            .withName("scheduler-pools")
            .withSecondaryToPrimaryMapper(
                pool ->
                    pool.getSpec().controlPlaneRef() == null
                        ? Set.of()
                        : Set.of(
                            new ResourceID(
                                pool.getSpec().controlPlaneRef().name(),
                                pool.getMetadata().getNamespace())))
            .build(),
        context);
  }

  /** The pools of nodes, whose numbers add up. */
  private static EventSource<?, ControlPlane> nodePools(EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(NodePool.class, ControlPlane.class)
            .withName("node-pools")
            .withItemStore(new SharedItems<>())
            .withOnUpdateFilter(PoolTotals::isNews)
            .withSecondaryToPrimaryMapper(
                pool ->
                    Set.of(
                        new ResourceID(
                            pool.getSpec().controlPlaneRef().name(),
                            pool.getMetadata().getNamespace())))
            .build(),
        context);
  }

  /** The tasks that name a control plane. */
  private static EventSource<?, ControlPlane> tasks(EventSourceContext<ControlPlane> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(ControlPlaneTask.class, ControlPlane.class)
            .withName("tasks")
            .withItemStore(new SharedItems<>())
            .withSecondaryToPrimaryMapper(
                task ->
                    Set.of(
                        new ResourceID(
                            task.getSpec().controlPlaneRef().name(),
                            task.getMetadata().getNamespace())))
            .build(),
        context);
  }
}
