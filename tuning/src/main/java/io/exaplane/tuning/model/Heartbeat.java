// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * How nodes say that they live (KEP-589).
 *
 * @param leaseSeconds nodeLeaseDurationSeconds; a kubelet renews at a quarter of it
 *     (pkg/kubelet/kubelet.go, nodeLeaseRenewIntervalFraction)
 * @param graceSeconds node-monitor-grace-period of the controller manager
 * @param statusReportSeconds nodeStatusReportFrequency
 * @param renewalsPerSecond of all nodes together
 * @param limitPerSecond renewals that store and watch cache are planned to take
 * @param limit which of them sets that limit
 */
public record Heartbeat(
    long leaseSeconds,
    long graceSeconds,
    long statusUpdateSeconds,
    long statusReportSeconds,
    double renewalsPerSecond,
    double limitPerSecond,
    Limit limit) {
  /** What bounds the renewals of all nodes. */
  public enum Limit {
    /** The store: half of its writes. */
    STORE,
    /** The watch cache of Leases in each kube-apiserver. */
    WATCH_CACHE
  }

  /**
   * Events a second that the one dispatching goroutine of a resource's watch cache was seen to
   * take.
   */
  public static final double WATCH_CACHE_EVENTS_PER_SECOND = 40_000;

  static final double RENEW_FRACTION = 0.25;
  private static final long DEFAULT_LEASE_SECONDS = 40;

  /** nodeStatusReportFrequency, unless a configuration says otherwise. */
  public static final long DEFAULT_STATUS_SECONDS = 300;

  /** Dead connections are found after 30 s without a frame and 15 s without an answer to a ping. */
  private static final long DEAD_CONNECTION_SECONDS = 45;

  static Heartbeat of(Shape shape) {
    double nodes = shape.nodes();
    double ofStore = 0.5 * shape.number(Input.STORE_WRITES);
    double limit = Math.min(ofStore, WATCH_CACHE_EVENTS_PER_SECOND);
    long lease =
        shape
            .knownNumber(Input.LEASE_SECONDS)
            .map(Double::longValue)
            .orElseGet(
                () ->
                    Math.max(
                        DEFAULT_LEASE_SECONDS,
                        (long) Numbers.roundUp(nodes / (RENEW_FRACTION * limit), 10)));
    long grace = (long) Math.max(DEAD_CONNECTION_SECONDS + 5, Numbers.roundUp(1.25 * lease, 5));
    boolean large = nodes >= 100_000;
    return new Heartbeat(
        lease,
        grace,
        large ? 30 : 10,
        shape
            .knownNumber(Input.STATUS_SECONDS)
            .map(Double::longValue)
            .orElse(large ? 600L : DEFAULT_STATUS_SECONDS),
        nodes / (RENEW_FRACTION * lease),
        limit,
        ofStore < WATCH_CACHE_EVENTS_PER_SECOND ? Limit.STORE : Limit.WATCH_CACHE);
  }
}
