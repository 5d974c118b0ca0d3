// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.set;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;

/**
 * The StatefulSet of a store. That of a store of the same name which was just deleted may be there
 * still, and says nothing of this one.
 */
public final class OwnSet {
  private OwnSet() {}

  /** The StatefulSet, if it is there and the store's own. */
  public static Optional<StatefulSet> of(StoreShard shard, Context<StoreShard> context) {
    return context
        .getSecondaryResource(StatefulSet.class)
        .filter(set -> set.hasOwnerReferenceFor(shard));
  }
}
