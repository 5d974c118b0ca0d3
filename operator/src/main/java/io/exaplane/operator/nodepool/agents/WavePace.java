// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.nodepool.agents.WaveLedger.Wave;
import java.time.Duration;
import java.time.Instant;

/** How large a wave is, and when each of its pods restarts. Pure. */
final class WavePace {
  /** Four bytes each: what fits into one object with room to spare. */
  private static final int MOST_PODS = 25_000;

  /** Agents that start together list together: each gets this time of a wave for itself. */
  private static final Duration APART = Duration.ofMillis(6);

  private static final Duration MOST_SPREAD = Duration.ofSeconds(45);

  /** A pod that could not be deleted by then waits for the wave to be begun again. */
  static final Duration SLACK = Duration.ofSeconds(15);

  private WavePace() {}

  /** The most restarts within 60 seconds; at least one. */
  static int share(int nodes, int percent) {
    return (int) Math.max(1, Math.min(MOST_PODS, (long) nodes * percent / 100));
  }

  /** The time over which the pods of a wave are deleted. */
  static Duration spread(int pods) {
    Duration all = APART.multipliedBy(pods);
    return all.compareTo(MOST_SPREAD) < 0 ? all : MOST_SPREAD;
  }

  /** A function of the node and the wave: an operator that follows gives the same answer. */
  static Instant due(Wave one, String node) {
    long span = Math.max(1, spread(one.pods()).toMillis());
    return one.at().plusMillis(Integer.toUnsignedLong(NodeSet.hash(node + one.at())) % span);
  }
}
