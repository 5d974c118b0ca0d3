// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.heartbeat;

import java.util.Optional;

/**
 * What the nodes of a pool are to have. A longer Lease waits for the grace period of
 * kube-controller-manager; meanwhile nodes have what they had. Immutable.
 *
 * @param wanted by the tuning model and the spec
 * @param carried what nodes are to have now
 * @param grace that runs now
 */
public record HeartbeatTarget(Heartbeats wanted, Heartbeats carried, GracePeriod grace) {
  /**
   * Decides.
   *
   * @param before what the nodes were to have at the last look; empty at the first one
   */
  public static HeartbeatTarget of(
      Heartbeats wanted, GracePeriod grace, Optional<Heartbeats> before) {
    if (grace.hasRoomFor(wanted) || before.filter(wanted::equals).isPresent()) {
      return new HeartbeatTarget(wanted, wanted, grace);
    }
    // A shorter Lease needs no longer grace period, whichever of them runs.
    boolean isShorter =
        before.filter(had -> wanted.leaseSeconds() <= had.leaseSeconds()).isPresent();
    return new HeartbeatTarget(
        wanted,
        isShorter ? wanted : before.orElseGet(() -> wanted.within(grace.sureSeconds())),
        grace);
  }

  /** Whether the nodes wait for kube-controller-manager. */
  public boolean waits() {
    return !carried.equals(wanted);
  }

  /**
   * The longest Lease that a node may still have. Hosts write what they have, so nobody makes it
   * longer than what the operator gave out.
   *
   * @param before the longest one at the last look; 0 at the first one
   * @param reported the longest one that a node said; 0 if none did
   * @param isComplete whether each node was counted, and said what it has
   */
  public int longestLease(int before, int reported, boolean isComplete) {
    int others = isComplete ? Math.min(before, reported) : before;
    return Math.max(carried.leaseSeconds(), others);
  }
}
