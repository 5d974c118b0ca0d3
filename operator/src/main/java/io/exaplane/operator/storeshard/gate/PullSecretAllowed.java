// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.pki.PullSecretUse;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;

/** The store may pull its image with the Secret that its spec names, or does already. */
public final class PullSecretAllowed {
  private PullSecretAllowed() {}

  /** What speaks against it, with the next action. */
  public static Optional<String> objection(StoreShard shard, Context<StoreShard> context) {
    ImagesSpec images = shard.getSpec().images();
    if (images == null || images.pullSecret() == null) {
      return Optional.empty();
    }
    boolean isUsed =
        OwnSet.of(shard, context)
            .filter(set -> PullSecretUse.isIn(set.getSpec().getTemplate().getSpec(), images))
            .isPresent();
    return isUsed ? Optional.empty() : PullSecretUse.objection(shard, images, context.getClient());
  }
}
