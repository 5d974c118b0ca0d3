// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;
import java.util.Map;
import java.util.Set;

/** The Secret with the store's certificate is there and has its three files. */
public class TlsSecretPresent implements Condition<Service, StoreShard> {
  private static final Set<String> FILES = Set.of("tls.crt", "tls.key", "ca.crt");

  @Override
  public boolean isMet(
      DependentResource<Service, StoreShard> dependent,
      StoreShard shard,
      Context<StoreShard> context) {
    return isPresent(context);
  }

  /** Whether the Secret is there, as the cache has it. */
  public static boolean isPresent(Context<StoreShard> context) {
    return context
        .getSecondaryResource(Secret.class)
        .map(Secret::getData)
        .map(Map::keySet)
        .filter(files -> files.containsAll(FILES))
        .isPresent();
  }
}
