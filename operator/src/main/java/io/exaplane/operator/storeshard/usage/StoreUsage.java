// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

/**
 * What a store tells of itself, so coarse that a store at work is the same for minutes: each change
 * is a write of the status.
 *
 * @param revisionFloor no revision above it will be shown before it is raised
 * @param stalled whether the journal can't be written
 * @param holders who holds the space; of nobody while there is enough
 */
public record StoreUsage(
    long revisionFloor,
    boolean stalled,
    SpaceUse space,
    SpaceHolders holders,
    Traffic traffic,
    StoreFigures figures) {
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

  /** From what the store measures and what is remembered of it. */
  static StoreUsage of(StorePage page, StoreHistory history) {
    return new StoreUsage(
        (page.revision() / STEP + 2) * STEP,
        history.isStalled(),
        history.space().use(),
        history.space().holders(),
        history.traffic(),
        history.figures());
  }
}
