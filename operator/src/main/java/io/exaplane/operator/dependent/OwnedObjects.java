// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.exaplane.operator.outcome.Outcomes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.dependent.CRUDKubernetesBulkDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.Matcher;
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
 * Several objects of one kind that an object of ours owns. The SDK gives objects that it can delete
 * one by one no owner, and then nobody would delete them with it; these have one. One that is
 * refused keeps no other from being written.
 */
public abstract class OwnedObjects<R extends HasMetadata, P extends HasMetadata>
    extends KubernetesDependentResource<R, P> implements CRUDKubernetesBulkDependentResource<R, P> {
  private final KnownWrites writes = new KnownWrites();
  private final Class<P> owner;

  protected OwnedObjects(Class<R> type, Class<P> owner) {
    super(type);
    this.owner = owner;
  }

  /** The objects that should be there, by what the reconciliation observed. */
  protected abstract Stream<R> render(P primary, Context<P> context);

  @Override
  public Map<ResourceID, R> desiredResources(P primary, Context<P> context) {
    return byId(render(primary, context));
  }

  @Override
  public Map<ResourceID, R> getSecondaryResources(P primary, Context<P> context) {
    return byId(context.getSecondaryResourcesAsStream(resourceType()));
  }

  private static <R extends HasMetadata> Map<ResourceID, R> byId(Stream<R> objects) {
    return objects.collect(Collectors.toMap(ResourceID::fromResource, Function.identity()));
  }

  @Override
  protected R handleCreate(R desired, P primary, Context<P> context) {
    return Outcomes.of(context)
        .attempt(() -> super.handleCreate(desired, primary, context))
        .orElse(desired);
  }

  @Override
  protected R handleUpdate(R actual, R desired, P primary, Context<P> context) {
    return Outcomes.of(context)
        .attempt(() -> super.handleUpdate(actual, desired, primary, context))
        .orElse(actual);
  }

  @Override
  public void deleteTargetResource(P primary, R resource, ResourceID key, Context<P> context) {
    writes.forget(resource, primary);
    Outcomes.of(context).attempt(() -> super.deleteTargetResource(primary, resource, key, context));
  }

  @Override
  public Matcher.Result<R> match(R actual, R desired, P primary, Context<P> context) {
    return writes.match(super.match(actual, desired, primary, context), actual, desired, context);
  }

  @Override
  public R update(R actual, R desired, P primary, Context<P> context) {
    return writes.note(actual, desired, super.update(actual, desired, primary, context), context);
  }

  @Override
  public R create(R desired, P primary, Context<P> context) {
    return Adoption.create(
        desired,
        primary,
        context.getClient(),
        free ->
            writes.make(free, primary, context, wanted -> super.create(wanted, primary, context)));
  }

  @Override
  protected boolean addOwnerReference() {
    return true;
  }

  @Override
  protected Optional<SecondaryToPrimaryMapper<R>> getSecondaryToPrimaryMapper(
      EventSourceContext<P> context) {
    return Optional.of(Mappers.fromOwnerReferences(owner));
  }
}
