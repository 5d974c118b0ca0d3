// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.heartbeat;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a kubelet says that its node lives, in seconds. Immutable.
 *
 * @param leaseSeconds duration of the Lease; it is renewed after a quarter of that
 * @param updateSeconds how often the kubelet computes the status
 * @param reportSeconds how often it reports a status that did not change
 */
public record Heartbeats(int leaseSeconds, int updateSeconds, int reportSeconds) {
  /** kube-controller-manager waits for five renewals of a Lease. */
  private static final double GRACE_OF_LEASE = 1.25;

  private static final Pattern TEXT = Pattern.compile("(\\d{1,6})-(\\d{1,6})-(\\d{1,6})");

  /** As hosts write it, 40-10-300: what {@link #parse} reads. */
  public String text() {
    return leaseSeconds + "-" + updateSeconds + "-" + reportSeconds;
  }

  /** Reads what {@link #text} wrote; nothing for another text. */
  public static Optional<Heartbeats> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new Heartbeats(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  /** The grace period that kube-controller-manager needs, seconds. */
  public long neededGraceSeconds() {
    return (long) Math.ceil(leaseSeconds * GRACE_OF_LEASE);
  }

  /** The same with a Lease that a grace period has room for. */
  Heartbeats within(long graceSeconds) {
    int most = (int) (graceSeconds / GRACE_OF_LEASE);
    return new Heartbeats(Math.min(leaseSeconds, most), updateSeconds, reportSeconds);
  }
}
