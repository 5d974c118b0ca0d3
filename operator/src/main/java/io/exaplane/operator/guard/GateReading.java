// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * How a hosted cluster does, by one look at all of its kube-apiservers and at its store of Leases.
 * Immutable.
 *
 * @param problem why the look is not complete: then none of the figures counts; "" if it is
 * @param requestP99Millis 99th percentile of the duration of short requests, at the server that is
 *     slowest
 * @param throttledPerSecond answers 429, all servers together, rounded up
 * @param leasesOnTimePercent of the nodes that are not dead; empty if the store does not count
 */
public record GateReading(
    Instant at,
    String problem,
    long requestP99Millis,
    long throttledPerSecond,
    OptionalInt leasesOnTimePercent) {

  /** A look that found out nothing. */
  public static GateReading unread(Instant at, String problem) {
    return new GateReading(at, problem, 0, 0, OptionalInt.empty());
  }

  /** The share of the Leases that were renewed in time; empty if nobody counts. */
  public static OptionalInt onTime(LeaseLook leases) {
    if (leases.kind() != LeaseLook.Kind.COUNTED) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(
        leases.nodes() == 0 ? 100 : (int) (100 * leases.alive() / leases.nodes()));
  }
}
