// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import io.exaplane.api.v1alpha1.GuardSpec;
import java.time.Duration;

/**
 * The limits that a decision is made with. Immutable.
 *
 * @param staleAfter a Lease that nobody renewed for so long is missed
 * @param deadAfter one that nobody renewed for so long is of a dead node
 * @param sharePercent of the nodes whose Leases are missed at once
 * @param minNodes below which missed Leases alone say nothing
 * @param badLooks in a row that freeze
 * @param goodLooks in a row that thaw
 * @param patience for nodes to renew their Leases once they can again
 * @param releaseAfter for so long the ways must be good before nodes that do not renew are believed
 *     to be gone
 */
public record GuardPolicy(
    Duration staleAfter,
    Duration deadAfter,
    int sharePercent,
    int minNodes,
    int badLooks,
    int goodLooks,
    Duration patience,
    Duration releaseAfter) {

  /** A store counts no longer ages. */
  private static final long LONGEST_MS = 1_800_000;

  /** A Lease is missed for as long again before its node is dead, whatever the grace period. */
  private static final long DEAD_STALES = 2;

  /**
   * What a spec says.
   *
   * @param spec with every field filled in
   * @param grace after which kube-controller-manager declares a node dead
   */
  public static GuardPolicy of(GuardSpec spec, Duration grace) {
    long staleMs = grace.toMillis() * spec.stalePercent() / 100;
    long deadMs =
        Math.min(LONGEST_MS, Math.max(spec.deadAfterSeconds() * 1000L, DEAD_STALES * staleMs));
    return new GuardPolicy(
        Duration.ofMillis(staleMs),
        Duration.ofMillis(deadMs),
        spec.unhealthySharePercent(),
        spec.minNodes(),
        spec.badProbesToFreeze(),
        spec.goodProbesToThaw(),
        Duration.ofSeconds(spec.thawPatienceSeconds()),
        Duration.ofMillis(Math.max(deadMs, spec.releaseAfterSeconds() * 1000L)));
  }
}
