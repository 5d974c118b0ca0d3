// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.storeshard.claim.ClaimCheck;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;

/**
 * The store has its certificate, may pull its image, and no claim of somebody else's is in its
 * place.
 */
public class StoreMayStart implements Condition<Service, StoreShard> {
  @Override
  public boolean isMet(
      DependentResource<Service, StoreShard> dependent,
      StoreShard shard,
      Context<StoreShard> context) {
    return TlsSecretPresent.isPresent(shard, context)
        && ClaimCheck.allows(shard, context)
        && PullSecretAllowed.objection(shard, context).isEmpty();
  }
}
