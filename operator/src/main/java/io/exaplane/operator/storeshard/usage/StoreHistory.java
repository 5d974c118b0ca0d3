// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.operator.storeshard.usage.StoreUsage.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is remembered of a store between two looks. Immutable.
 *
 * @param figures the last that were told: each change is a write of the status
 * @param changes the page's when they were told
 * @param begun when it was first looked at
 * @param written whether it was seen to be written
 * @param space how full it is
 * @param stalled when its journal was last seen not to be written; null if it never was
 */
record StoreHistory(
    StoreFigures figures,
    Instant figuresTime,
    long changes,
    long writes,
    Instant begun,
    boolean written,
    Instant seen,
    SpaceHistory space,
    Instant stalled) {
  private static final Duration FIGURES_PERIOD = Duration.ofMinutes(5);

  /** In which something is written of a Kind that is in use. */
  private static final Duration QUIET = Duration.ofMinutes(10);

  /** A journal that comes and goes is not in order. */
  private static final Duration STEADY = Duration.ofSeconds(30);

  /** From the first look. */
  static StoreHistory begin(StorePage page, Instant now) {
    return new StoreHistory(
        StoreFigures.of(page),
        now,
        page.changes(),
        page.writes(),
        now,
        false,
        now,
        SpaceHistory.begin(page, now),
        page.stalled() ? now : null);
  }

  /** From the next one. */
  StoreHistory next(StorePage page, Instant now) {
    StoreFigures measured = StoreFigures.of(page);
    boolean restarted = !measured.started().equals(figures.started());
    // What comes first is told at once.
    boolean first = figures.keys() == 0 && measured.keys() > 0;
    boolean due = !now.isBefore(figuresTime.plus(FIGURES_PERIOD));
    // Renewed Leases alone are no news: an idle control plane costs no writes.
    boolean news = page.changes() != changes || figures.areFarFrom(measured);
    boolean fresh = restarted || first || due && news;
    boolean writes = !restarted && page.writes() > this.writes;
    return new StoreHistory(
        fresh ? measured : figures,
        fresh ? now : figuresTime,
        fresh ? page.changes() : changes,
        page.writes(),
        begun,
        written || writes,
        now,
        space.next(page, now),
        page.stalled() ? now : stalled);
  }

  /** The same, when it was asked who holds its space. */
  StoreHistory with(Optional<SpaceHolders> answer) {
    return new StoreHistory(
        figures,
        figuresTime,
        changes,
        writes,
        begun,
        written,
        seen,
        space.with(answer, seen),
        stalled);
  }

  boolean isStalled() {
    return stalled != null && seen.isBefore(stalled.plus(STEADY));
  }

  Traffic traffic() {
    if (written) {
      return Traffic.OBSERVED;
    }
    return seen.isBefore(begun.plus(QUIET)) ? Traffic.AWAITED : Traffic.NONE;
  }
}
