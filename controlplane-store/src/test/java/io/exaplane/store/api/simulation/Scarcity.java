// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.core.SpaceLimits;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** How little space a simulated store has, and what it may do about that. */
final class Scarcity {
  /** All keys with the largest values take less than half of this. */
  private static final int LEAST_BYTES = 3_000;

  /** What is younger is not compacted by the store itself. */
  private static final long KEPT_MS = 1_000;

  private final SpaceLimits limits;
  private final TreeMap<Long, Long> revisions = new TreeMap<>();

  /**
   * @param isThere whether space is short at all
   */
  Scarcity(boolean isThere, Random random) {
    long bytes = LEAST_BYTES + random.nextInt(LEAST_BYTES);
    this.limits = isThere ? SpaceLimits.of(bytes, Long.MAX_VALUE, 0) : SpaceLimits.NONE;
  }

  boolean isThere() {
    return limits != SpaceLimits.NONE;
  }

  SpaceLimits limits() {
    return limits;
  }

  /** The store was at this revision, or an older one, at a time. */
  void note(long nowMs, long revision) {
    revisions.merge(nowMs, revision, Math::max);
  }

  /**
   * Whether a store may have compacted at a revision, by itself or after somebody did: then it may
   * have gone on by a revision without a change, which is compacted, too.
   */
  boolean explains(long compacted, long nowMs, List<Op> ops) {
    var old = revisions.floorEntry(nowMs - KEPT_MS);
    return isThere()
        && (old != null && compacted - 1 <= old.getValue()
            || ops.stream()
                .anyMatch(
                    o ->
                        o.kind == Op.Kind.COMPACT && o.error == null && o.number >= compacted - 1));
  }
}
