// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Objects that a backup tool put back before their owner knows of them. Stateless. */
public final class Restored {
  private Restored() {}

  /** Asks an API server. */
  public static UnaryOperator<HasMetadata> asking(KubernetesClient client) {
    return wanted -> client.resource(wanted).get();
  }

  /**
   * The object under the name of one that an owner wants, if it is the owner's or is to become so.
   *
   * @param known the object, where the owner knows of it
   * @param ask gives the object of the same kind and name, or null
   */
  @SuppressWarnings("unchecked")
  public static <R extends HasMetadata> Optional<R> find(
      Optional<R> known, R desired, HasMetadata owner, UnaryOperator<HasMetadata> ask) {
    return known.or(
        () ->
            Optional.ofNullable((R) ask.apply(desired))
                .filter(
                    there -> Adoption.judge(there, desired, owner) != Adoption.Verdict.OF_OTHERS));
  }
}
