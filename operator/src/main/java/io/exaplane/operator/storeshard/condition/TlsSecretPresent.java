// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.storeshard.StoreNames;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;
import java.util.Set;

/** The Secret with the store's certificate is there and has its three files. */
public final class TlsSecretPresent {
  private static final Set<String> FILES = Set.of("tls.crt", "tls.key", "ca.crt");

  private TlsSecretPresent() {}

  /** Whether the Secret is there, as the cache has it. */
  public static boolean isPresent(StoreShard shard, Context<StoreShard> context) {
    return context
        .getSecondaryResource(Secret.class)
        .filter(secret -> serves(shard, secret))
        .isPresent();
  }

  /**
   * Whether a Secret of the right name is the store's. One of a control plane of the same name that
   * was removed a moment ago is there still, and would start the store before anybody has looked
   * whether it may take over what is on its volume. Pure.
   */
  static boolean serves(StoreShard shard, Secret secret) {
    Optional<String> owner = StoreNames.controlPlaneUid(secret);
    return secret.getData() != null
        && secret.getData().keySet().containsAll(FILES)
        && (owner.isEmpty() || owner.equals(StoreNames.controlPlaneUid(shard)));
  }
}
