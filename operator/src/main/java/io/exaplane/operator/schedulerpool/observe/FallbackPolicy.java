// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.PoolFallbackMode;
import io.exaplane.api.v1alpha1.PoolFallbackSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a kube-scheduler stands in for a pool. That only one of them writes is the Lease's doing;
 * this says only which of them is there to ask for it. Pure.
 *
 * @param spec what the user asks for; may be null
 * @param begunAt when the stand-in was made; empty without one
 * @param nobodySince since when nobody has the Lease; empty while somebody does, or it is not known
 * @param rootReadyAt when the root became ready that is ready now and became so last; empty without
 *     one
 * @param rootLeads whether a root has the Lease
 */
public record FallbackPolicy(
    PoolFallbackSpec spec,
    Optional<Instant> begunAt,
    Optional<Instant> nobodySince,
    Optional<Instant> rootReadyAt,
    boolean rootLeads) {

  /** A root that stays ready for so long is not about to end. */
  static final Duration STAYS = Duration.ofSeconds(10);

  /** Whether it is to be there now. */
  boolean standsIn(Instant now) {
    if (isUnwanted() || rootLeads) {
      return false;
    }
    return next()
        .map(change -> now.isBefore(change) == begunAt.isPresent())
        .orElse(begunAt.isPresent());
  }

  /**
   * When it comes, or goes, if all stays as it is. A root that was ready before the stand-in came
   * did not take the Lease, so only one that became ready since then ends it.
   */
  public Optional<Instant> next() {
    if (isUnwanted()) {
      return Optional.empty();
    }
    return begunAt.isPresent()
        ? rootReadyAt
            .filter(ready -> !ready.isBefore(begunAt.get()))
            .map(ready -> ready.plus(STAYS))
        : nobodySince.map(since -> since.plus(PoolFallbackSpec.after(spec)));
  }

  private boolean isUnwanted() {
    return PoolFallbackSpec.mode(spec) == PoolFallbackMode.None;
  }
}
