// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import io.exaplane.api.duration.Durations;
import io.exaplane.api.v1alpha1.RestartBackoffSpec;
import io.exaplane.api.v1alpha1.RestartBudgetSpec;
import io.exaplane.api.v1alpha1.RestartSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * {@code spec.restart} with defaults filled in. Immutable.
 *
 * @param initial delay after the first outage
 * @param factor the delay grows by it with each outage that follows
 * @param max longest delay, before jitter
 * @param jitterPercent largest part of a delay that is added to it
 * @param resetAfter time without a replacement after which the delay is initial again
 * @param maxRestarts restarts of a component in the window, if the user says how many
 * @param window time within which restarts count
 * @param releasePerMinute pods that are replaced a minute
 */
public record RestartPolicy(
    Duration initial,
    int factor,
    Duration max,
    int jitterPercent,
    Duration resetAfter,
    Optional<Integer> maxRestarts,
    Duration window,
    int releasePerMinute) {
  private static final RestartBackoffSpec NO_BACKOFF =
      new RestartBackoffSpec(null, null, null, null, null);
  private static final RestartBudgetSpec NO_BUDGET = new RestartBudgetSpec(null, null);
  private static final int LEAST_BUDGET = 5;
  private static final int JITTER_STEPS = 1_000;

  /** That of a spec, which may be null. */
  public static RestartPolicy of(RestartSpec spec) {
    RestartBackoffSpec backoff =
        spec == null || spec.backoff() == null ? NO_BACKOFF : spec.backoff();
    RestartBudgetSpec budget = spec == null || spec.budget() == null ? NO_BUDGET : spec.budget();
    return new RestartPolicy(
        Durations.parse(backoff.initial(), Duration.ofSeconds(1)),
        backoff.factor() == null ? 2 : backoff.factor(),
        Durations.parse(backoff.max(), Duration.ofSeconds(60)),
        backoff.jitterPercent() == null ? 20 : backoff.jitterPercent(),
        Durations.parse(backoff.resetAfter(), Duration.ofMinutes(10)),
        Optional.ofNullable(budget.maxRestarts()),
        Durations.parse(budget.window(), Duration.ofMinutes(10)),
        RestartSpec.releasePerMinute(spec));
  }

  /** How many restarts a component of so many pods may have in the window. */
  public int budget(int replicas) {
    return maxRestarts.orElse(Math.max(LEAST_BUDGET, 2 * replicas));
  }

  /** How long at least lies between two replacements. */
  public Duration gap() {
    return Duration.ofMinutes(1).dividedBy(releasePerMinute);
  }

  /**
   * How long to wait after an outage, without jitter.
   *
   * @param outages those in a row, this one among them; from 1 on
   */
  public Duration delay(int outages) {
    Duration delay = initial;
    for (int each = 1; each < outages && factor > 1 && delay.compareTo(max) < 0; each++) {
      delay = delay.multipliedBy(factor);
    }
    return delay.compareTo(max) < 0 ? delay : max;
  }

  /**
   * The same with jitter, which is a function of what it is for: asked again, or by the operator's
   * successor, the answer is the same.
   *
   * @param seed another one for each object and outage
   */
  public Duration delay(int outages, String seed) {
    Duration delay = delay(outages);
    long step = Math.floorMod(mixed(seed.hashCode()), JITTER_STEPS);
    return delay.plus(delay.multipliedBy(jitterPercent * step).dividedBy(100L * JITTER_STEPS));
  }

  /** The window, as a person writes it. */
  public String windowText() {
    return Durations.text(window);
  }

  /** Spreads the hash codes of texts that differ in their last letters (murmur3's finalizer). */
  private static int mixed(int hash) {
    int h = hash;
    h = (h ^ h >>> 16) * 0x85ebca6b;
    h = (h ^ h >>> 13) * 0xc2b2ae35;
    return h ^ h >>> 16;
  }
}
