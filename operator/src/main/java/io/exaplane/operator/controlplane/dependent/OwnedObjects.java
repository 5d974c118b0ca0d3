// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Observed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.dependent.CRUDKubernetesBulkDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several objects of one kind that the control plane owns. The SDK gives objects that it can delete
 * one by one no owner, and then nobody would delete them with the control plane; these have one.
 */
abstract class OwnedObjects<R extends HasMetadata>
    extends KubernetesDependentResource<R, ControlPlane>
    implements CRUDKubernetesBulkDependentResource<R, ControlPlane> {

  OwnedObjects(Class<R> type) {
    super(type);
  }

  /** The objects that should be there. Pure. */
  abstract Stream<R> render(ControlPlane controlPlane);

  @Override
  public Map<ResourceID, R> desiredResources(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return byId(render(Observed.of(context).controlPlane()));
  }

  @Override
  public Map<ResourceID, R> getSecondaryResources(
      ControlPlane controlPlane, Context<ControlPlane> context) {
    return byId(context.getSecondaryResourcesAsStream(resourceType()));
  }

  private static <R extends HasMetadata> Map<ResourceID, R> byId(Stream<R> objects) {
    return objects.collect(Collectors.toMap(ResourceID::fromResource, Function.identity()));
  }

  @Override
  protected boolean addOwnerReference() {
    return true;
  }

  @Override
  protected Optional<SecondaryToPrimaryMapper<R>> getSecondaryToPrimaryMapper(
      EventSourceContext<ControlPlane> context) {
    return Optional.of(Mappers.fromOwnerReferences(ControlPlane.class));
  }
}
