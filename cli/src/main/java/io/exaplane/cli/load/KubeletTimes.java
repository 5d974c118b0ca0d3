// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a kubelet sends what. Immutable; pure but for the random numbers.
 *
 * <p>Sources, in Kubernetes 1.37: {@code pkg/kubelet/kubelet.go} (nodeLeaseRenewIntervalFraction
 * 0.25, wait.JitterUntil of syncNodeStatus with 0.04), {@code
 * component-helpers/apimachinery/lease/controller.go} (JitterUntilWithContext of sync with 0.04,
 * maxUpdateRetries, maxBackoff), {@code pkg/kubelet/kubelet_node_status.go}
 * (isUpdateStatusPeriodExpired, calculateDelay, registerWithAPIServer), {@code
 * cmd/kubelet/app/server.go} (the timeout of the heartbeat client).
 *
 * @param lease nodeLeaseDurationSeconds; a kubelet renews four times in it
 * @param statusUpdate nodeStatusUpdateFrequency: how often a kubelet looks at its status
 * @param statusReport nodeStatusReportFrequency: how often it writes an unchanged status
 */
record KubeletTimes(Duration lease, Duration statusUpdate, Duration statusReport) {
  static final KubeletTimes DEFAULT =
      new KubeletTimes(Duration.ofSeconds(40), Duration.ofSeconds(10), Duration.ofMinutes(5));

  /**
   * Attempts to update a Lease, and to write a status, before a kubelet waits for the next time.
   */
  static final int ATTEMPTS = 5;

  private static final double RENEWED = 0.25;
  private static final double JITTER = 0.04;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(7);

  /** From one renewal to the next, without jitter. */
  Duration renewal() {
    return Duration.ofNanos((long) (lease.toNanos() * RENEWED));
  }

  /** From the end of one renewal to the next one, ns: up to 4 % more than the interval. */
  long untilRenewal(RandomGenerator random) {
    return jittered(renewal(), random);
  }

  /** From the end of one look at the status to the next one, ns. */
  long untilStatus(RandomGenerator random) {
    return jittered(statusUpdate, random);
  }

  private static long jittered(Duration period, RandomGenerator random) {
    return (long) (period.toNanos() * (1 + random.nextDouble() * JITTER));
  }

  /** Somewhere in a period, ns: where a kubelet that has long been running stands in it. */
  static long phase(Duration period, RandomGenerator random) {
    return (long) (period.toNanos() * random.nextDouble());
  }

  /** What a changed status adds to the time of the next report, ns: half of it more or less. */
  long delayAfterChange(RandomGenerator random) {
    return (long) (statusReport.toNanos() * (random.nextDouble() - 0.5));
  }

  /** For renewals and statuses: a heartbeat that takes longer is given up. */
  Duration heartbeatTimeout() {
    return statusUpdate.compareTo(lease) > 0 ? lease : statusUpdate;
  }

  /**
   * Between attempts to register or to create a Lease, ns.
   *
   * @param failures so far, at least 1
   */
  static long pause(int failures) {
    long doubled = FIRST_PAUSE.toNanos() << Math.min(failures, 10);
    return Math.min(doubled, LONGEST_PAUSE.toNanos());
  }
}
