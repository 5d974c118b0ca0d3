// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.heartbeat;

/**
 * After how long kube-controller-manager declares a node unreachable. Immutable.
 *
 * @param seconds by the flags of its Deployment
 * @param runs whether all of its pods have these flags; else one with others may lead
 */
public record GracePeriod(long seconds, boolean runs) {
  /** kube-controller-manager's default from 1.32 on. */
  public static final long DEFAULT_SECONDS = 50;

  /** What is sure while pods are replaced. */
  long sureSeconds() {
    return runs ? seconds : Math.min(seconds, DEFAULT_SECONDS);
  }

  /** Whether a node with these heartbeats is not taken for dead. */
  boolean hasRoomFor(Heartbeats heartbeats) {
    return runs && heartbeats.neededGraceSeconds() <= seconds;
  }
}
