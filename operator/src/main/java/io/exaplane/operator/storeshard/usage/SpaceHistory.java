// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What was told of a store's space, which is told anew when its level changes, or after five
 * minutes: each change is a write of the status. Immutable.
 *
 * @param use the use that was told
 * @param holders those that were told with it
 * @param told when
 * @param lowerSince since when the level is lower than that; null if it is not
 * @param asked when the store was last asked who holds its space, {@link Instant#MIN} if it is to
 *     be asked now; null once it answered, or if it need not be asked
 */
record SpaceHistory(
    SpaceUse use, SpaceHolders holders, Instant told, Instant lowerSince, Instant asked) {
  private static final Duration PERIOD = Duration.ofMinutes(5);

  /** A store at a limit gives room back and is full again within seconds. */
  private static final Duration STEADY = Duration.ofSeconds(30);

  /** A level once reached ends that much below where it begins. */
  private static final int MARGIN_PERCENT = 2;

  /** What a store answers stays fresh for longer. */
  private static final Duration ASK_PERIOD = Duration.ofSeconds(20);

  static SpaceHistory begin(StorePage page, Instant now) {
    return tell(SpaceUse.of(page, 0), SpaceHolders.UNKNOWN, page, now);
  }

  SpaceHistory next(StorePage page, Instant now) {
    SpaceUse seen = SpaceUse.of(page, 0);
    if (seen.rank() > use.rank()) {
      return tell(seen, holders, page, now);
    }
    if (SpaceUse.of(page, MARGIN_PERCENT).rank() < use.rank()) {
      Instant since = lowerSince == null ? now : lowerSince;
      return now.isBefore(since.plus(STEADY))
          ? new SpaceHistory(use, holders, told, since, asked)
          : tell(seen, holders, page, now);
    }
    // Within the margin there is nothing to tell: it would be of another level.
    boolean isFresh = now.isBefore(told.plus(PERIOD)) || seen.rank() < use.rank();
    return isFresh
        ? new SpaceHistory(use, holders, told, null, asked)
        : tell(seen, holders, page, now);
  }

  private static SpaceHistory tell(SpaceUse use, SpaceHolders before, StorePage page, Instant now) {
    if (use.level() == SpaceUse.Level.FREE) {
      return new SpaceHistory(use, SpaceHolders.UNKNOWN, now, null, null);
    }
    boolean none = before.equals(SpaceHolders.UNKNOWN);
    return new SpaceHistory(use, none ? SpaceHolders.of(page) : before, now, null, Instant.MIN);
  }

  /** Whether the store is to be asked who holds its space. */
  boolean wantsHolders(Instant now) {
    return asked != null && !asked.isAfter(now.minus(ASK_PERIOD));
  }

  /** It was asked, and answered if there is something. */
  SpaceHistory with(Optional<SpaceHolders> answer, Instant now) {
    return new SpaceHistory(
        use, answer.orElse(holders), told, lowerSince, answer.isPresent() ? null : now);
  }
}
