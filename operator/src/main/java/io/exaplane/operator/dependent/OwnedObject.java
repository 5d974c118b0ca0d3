// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.Matcher;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** One object that an object of ours owns, and that is never made of somebody else's. */
public abstract class OwnedObject<R extends HasMetadata, P extends HasMetadata>
    extends CRUDKubernetesDependentResource<R, P> {

  private final KnownWrites writes = new KnownWrites();

  /** For those that find their type by themselves, and for ArC, which makes proxies of them. */
  protected OwnedObject() {}

  protected OwnedObject(Class<R> type) {
    super(type);
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
        free -> writes.make(free, primary, context, wanted -> make(wanted, primary, context)));
  }

  @Override
  protected void handleDelete(P primary, R secondary, Context<P> context) {
    // The SDK also deletes what was not there.
    if (secondary != null) {
      writes.forget(secondary, primary);
    }
    super.handleDelete(primary, secondary, context);
  }

  /** Makes the object under a name that is free, or the owner's. */
  protected R make(R wanted, P primary, Context<P> context) {
    return super.create(wanted, primary, context);
  }
}
