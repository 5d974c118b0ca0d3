// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Collection;
import java.util.Optional;

/**
 * What a store of the engine Memory shows without a certificate. Prometheus reads numbers there; a
 * certificate that shows them would open all keys. Pure.
 */
public final class ClearPages {
  /** A variable: an image of before does not have the flag, and would not start. */
  private static final String VARIABLE = "ETCD_CLEAR_PAGES";

  /** Numbers by Kind and prefix, and no names of namespaces. */
  private static final String NUMBERS = "metrics";

  private ClearPages() {}

  /** Nothing for a store of a person: the operator has no certificate to read its pages. */
  static Optional<EnvVar> variable(StoreShard shard) {
    return StoreNames.controlPlaneUid(shard).map(_ -> new EnvVar(VARIABLE, NUMBERS, null));
  }

  /** Whether the bundle that made a pod limits what the pod shows without a certificate. */
  public static boolean areLimited(PodSpec pod) {
    return pod.getContainers().stream()
        .map(Container::getEnv)
        .flatMap(Collection::stream)
        .anyMatch(variable -> variable.getName().equals(VARIABLE));
  }
}
