// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import java.util.Collection;
import java.util.stream.Stream;

/**
 * Pods that wait, by what for. Immutable.
 *
 * @param active for their turn
 * @param backoff for the end of a pause after an attempt
 * @param unschedulable for something to happen that could help
 * @param gated for a plugin to let them have a turn at all
 * @param oldestSinceNs since when the first waits that is not gated, nanoseconds since 1970; {@link
 *     #NOBODY} without one
 */
public record Waiting(int active, int backoff, int unschedulable, int gated, long oldestSinceNs) {
  public static final long NOBODY = Long.MAX_VALUE;
  public static final Waiting NONE = new Waiting(0, 0, 0, 0, NOBODY);

  static Waiting of(
      Collection<Waiter> active,
      Collection<Waiter> refused,
      Collection<Waiter> failed,
      Collection<Waiter> unschedulable) {
    int gated = count(unschedulable.stream().filter(Waiter::isGated));
    long oldest =
        Stream.of(active, refused, failed, unschedulable)
            .flatMap(Collection::stream)
            .filter(waiter -> !waiter.isGated())
            .mapToLong(Waiter::sinceNs)
            .min()
            .orElse(NOBODY);
    return new Waiting(
        count(active.stream()),
        count(refused.stream()) + count(failed.stream()),
        count(unschedulable.stream()) - gated,
        gated,
        oldest);
  }

  /** The same with pods that come when it was decided about their group, and without a group. */
  Waiting with(int afterGroup, int withoutGroup) {
    return new Waiting(
        active + afterGroup, backoff, unschedulable, gated + withoutGroup, oldestSinceNs);
  }

  private static int count(Stream<Waiter> waiters) {
    return waiters.mapToInt(waiter -> waiter.pods().size()).sum();
  }
}
