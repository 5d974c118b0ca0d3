// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

/**
 * What a write costs for those who watch it: a write that ten or more watch holds seats after its
 * response, 5 ms for each ten watchers (pkg/util/flowcontrol/request/mutating_work_estimator.go,
 * KEP-1040).
 */
public final class FanOut {
  private static final double WATCHERS_PER_SEAT = 10;
  private static final double SEAT_SECONDS = 0.005;

  private FanOut() {}

  /** Seat-seconds that a write costs on a server where this many watches see it. */
  public static double seatSeconds(double watchers) {
    return watchers < WATCHERS_PER_SEAT
        ? 0
        : Math.ceil(watchers / WATCHERS_PER_SEAT) * SEAT_SECONDS;
  }

  /** Writes a second that a level of this many seats lets through. */
  public static double writesPerSecond(double seats, double watchers) {
    double cost = seatSeconds(watchers);
    return cost == 0 ? Double.POSITIVE_INFINITY : seats / cost;
  }
}
