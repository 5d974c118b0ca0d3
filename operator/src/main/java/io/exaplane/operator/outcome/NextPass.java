// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Duration;
import java.time.Instant;

/** When an object is looked at again although nothing happened. Pure. */
public final class NextPass {
  /** A pass right at the time would come a moment too early. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private NextPass() {}

  /** How long until a pass that comes after that time; a second if the time is over. */
  public static Duration after(Instant now, Instant then) {
    Duration left = Duration.between(now, then);
    return left.isNegative() ? MARGIN : left.plus(MARGIN);
  }

  /** Whether it is sooner than the regular interval, whose place it would take. */
  public static boolean isSooner(Duration left, Context<?> context) {
    return context
        .getControllerConfiguration()
        .maxReconciliationInterval()
        .filter(interval -> interval.compareTo(left) <= 0)
        .isEmpty();
  }
}
