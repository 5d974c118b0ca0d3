// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

/**
 * What a store tells of itself, so coarse that a store at work is the same for minutes: each change
 * is a write of the status.
 *
 * @param revisionFloor no revision above it will be shown before it is raised
 * @param stalled whether the journal can't be written
 */
public record StoreUsage(
    long revisionFloor, boolean stalled, Space space, Traffic traffic, StoreFigures figures) {
  /** How much of the quota is left. */
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
        page.exceeded()
            ? Space.EXCEEDED
            : page.bytes() > page.quotaBytes() * SCARCE_SHARE ? Space.SCARCE : Space.FREE;
    return new StoreUsage(
        (page.revision() / STEP + 2) * STEP,
        page.stalled(),
        space,
        history.traffic(),
        history.figures());
  }
}
