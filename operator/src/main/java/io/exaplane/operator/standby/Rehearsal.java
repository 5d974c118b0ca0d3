// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;

/**
 * The part of a reconciler's pass that only computes. A standby runs it so that the code is
 * compiled and caches are filled when it leads. Implementations get no client: no field of theirs
 * leads to one, and the context's client refuses every request. One thread calls them.
 *
 * @param <P> the kind
 */
public interface Rehearsal<P extends HasMetadata> {
  /** Name of the reconciler. */
  String controller();

  /**
   * Computes what a pass would do about an object, and drops the result.
   *
   * @param primary a copy, which nobody else has
   * @throws RuntimeException if a pass needs an answer of an API server: this rehearsal ends there
   */
  void of(P primary, Context<P> context);

  /** What decides whether another rehearsal of the same object would find anything new. */
  default String state(P primary, Context<P> context) {
    return "";
  }
}
