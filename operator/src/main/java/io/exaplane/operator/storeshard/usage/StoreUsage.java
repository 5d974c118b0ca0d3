// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.operator.storeshard.usage.StorePage.PrefixSpace;

/**
 * What a store tells of itself, so coarse that a store at work is the same for minutes: each change
 * is a write of the status.
 *
 * @param revisionFloor no revision above it will be shown before it is raised
 * @param tightPrefix the one whose own quota it is that space is short of; null if it is the
 *     store's
 * @param stalled whether the journal can't be written
 */
public record StoreUsage(
    long revisionFloor,
    boolean stalled,
    Space space,
    String tightPrefix,
    Traffic traffic,
    StoreFigures figures) {
  /** How much of the quota is left, the worst last. */
  public enum Space {
    FREE,
    SCARCE,
    EXCEEDED
  }

  /** Whether keys of Kinds are written. */
  public enum Traffic {
    /** It is not known yet. */
    AWAITED,
    /** They were. */
    OBSERVED,
    /** Not for ten minutes since it is looked at. */
    NONE
  }

  /** At 100,000 writes a second it is raised each minute, long before it is reached. */
  private static final long STEP = 5_000_000;

  /** The floor of a store that has just begun to serve. */
  public static final long FIRST_FLOOR = 2 * STEP;

  private static final double SCARCE_SHARE = 0.85;

  /** From what the store measures and what is remembered of it. */
  static StoreUsage of(StorePage page, StoreHistory history) {
    Space space =
        page.exceeded() ? Space.EXCEEDED : space(page.bytes(), page.quotaBytes() * SCARCE_SHARE);
    String tightPrefix = null;
    for (PrefixSpace each : page.prefixes()) {
      Space its =
          each.bytes() >= each.quotaBytes()
              ? Space.EXCEEDED
              : space(each.bytes(), each.quotaBytes() * SCARCE_SHARE);
      if (its.compareTo(space) > 0) {
        space = its;
        tightPrefix = each.prefix();
      }
    }
    return new StoreUsage(
        (page.revision() / STEP + 2) * STEP,
        page.stalled(),
        space,
        tightPrefix,
        history.traffic(),
        history.figures());
  }

  private static Space space(long bytes, double scarceBytes) {
    return bytes > scarceBytes ? Space.SCARCE : Space.FREE;
  }
}
