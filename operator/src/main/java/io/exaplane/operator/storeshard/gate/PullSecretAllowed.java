// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PullSecretUse;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;

/** The store may pull its image with the Secret that its spec names, or does already. */
public final class PullSecretAllowed {
  private PullSecretAllowed() {}

  /** What speaks against it, with the next action. */
  public static Optional<String> objection(StoreShard shard, Context<StoreShard> context) {
    return isUsed(shard, context) ? Optional.empty() : ask(shard, context);
  }

  /** What is said of a store that pulls with a Secret which a new one could not use. */
  public static Optional<Problem> notice(StoreShard shard, Context<StoreShard> context) {
    return isUsed(shard, context)
        ? ask(shard, context).map(PullSecretUse::notice)
        : Optional.empty();
  }

  private static Optional<String> ask(StoreShard shard, Context<StoreShard> context) {
    ImagesSpec images = shard.getSpec().images();
    return images == null || images.pullSecret() == null
        ? Optional.empty()
        : PullSecretUse.objection(shard, images, context.getClient());
  }

  private static boolean isUsed(StoreShard shard, Context<StoreShard> context) {
    ImagesSpec images = shard.getSpec().images();
    return images != null
        && images.pullSecret() != null
        && OwnSet.of(shard, context)
            .filter(set -> PullSecretUse.isIn(set.getSpec().getTemplate().getSpec(), images))
            .isPresent();
  }
}
